#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

/// Another block from every rank to every rank; what a rank receives may differ from the others'.
struct Alltoallv {
  using Data = AlltoallData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "alltoallv",
       .summary = "MPI_Alltoallv among all ranks, until the last one has all its blocks",
       .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a pair of ranks (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.send_counts(), data.send_displacements(), data.type(),
                      data.receive(), data.counts(), data.displacements(), data.type(), comm);
  }
};

const Registration<Blocking<Alltoallv, MPI_Alltoallv>> alltoallv;
const Registration<Nonblocking<Alltoallv, MPI_Ialltoallv>> ialltoallv;

}  // namespace
}  // namespace hockney
