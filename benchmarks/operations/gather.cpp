#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank's block, on the root.
struct Gather {
  using Data = GatherData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "gather",
                      .summary = "MPI_Gather to the root, until the last rank is through",
                      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
                      .sizes = "the block of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(root), data.send_count(), data.type(), data.receive(),
                      data.send_count(), data.type(), root, comm);
  }
};

const Registration<Blocking<Gather, MPI_Gather>> gather;
const Registration<Nonblocking<Gather, MPI_Igather>> igather;
const Registration<Persistent<Gather, HOCKNEY_PERSISTENT(Gather)>> persistent_gather;

/// Every rank's block, on the root; blocks may differ.
struct Gatherv {
  using Data = GatherData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "gatherv",
       .summary = "MPI_Gatherv to the root, until the last rank is through",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(root), data.send_count(), data.type(), data.receive(),
                      data.counts(), data.displacements(), data.type(), root, comm);
  }
};

const Registration<Blocking<Gatherv, MPI_Gatherv>> gatherv;
const Registration<Nonblocking<Gatherv, MPI_Igatherv>> igatherv;
const Registration<Persistent<Gatherv, HOCKNEY_PERSISTENT(Gatherv)>> persistent_gatherv;

}  // namespace
}  // namespace hockney::benchmarks
