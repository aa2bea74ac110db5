#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/exchanged_data.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank's block, on all ranks.
struct Allgather {
  using Data = AllgatherData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "allgather",
                      .summary = "MPI_Allgather among all ranks, until the last one has all blocks",
                      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
                      .sizes = "the block of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.send_count(), data.type(), data.receive(),
                      data.send_count(), data.type(), comm);
  }
};

const Registration<Blocking<Allgather, MPI_Allgather>> allgather;
const Registration<Nonblocking<Allgather, MPI_Iallgather>> iallgather;
const Registration<Persistent<Allgather, HOCKNEY_PERSISTENT(Allgather)>> persistent_allgather;

/// Every rank's block, on all ranks; blocks may differ.
struct Allgatherv {
  using Data = AllgatherData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "allgatherv",
       .summary = "MPI_Allgatherv among all ranks, until the last one has all blocks",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.send_count(), data.type(), data.receive(), data.counts(),
                      data.displacements(), data.type(), comm);
  }
};

const Registration<Blocking<Allgatherv, MPI_Allgatherv>> allgatherv;
const Registration<Nonblocking<Allgatherv, MPI_Iallgatherv>> iallgatherv;
const Registration<Persistent<Allgatherv, HOCKNEY_PERSISTENT(Allgatherv)>> persistent_allgatherv;

}  // namespace
}  // namespace hockney::benchmarks
