#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney {
namespace {

/// Another block from every rank to every rank.
struct Alltoall {
  using Data = AlltoallData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "alltoall",
       .summary = "MPI_Alltoall among all ranks, until the last one has all its blocks",
       .counts = "what one rank sends, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the block of each pair of ranks (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.counts()[0], data.type(), data.receive(), data.counts()[0],
                      data.type(), comm);
  }
};

const Registration<Blocking<Alltoall, MPI_Alltoall>> alltoall;
const Registration<Nonblocking<Alltoall, MPI_Ialltoall>> ialltoall;
const Registration<Persistent<Alltoall, HOCKNEY_PERSISTENT(Alltoall)>> persistent_alltoall;

}  // namespace
}  // namespace hockney
