#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/rooted_data.hpp"

namespace hockney::benchmarks {
namespace {

/// To every rank its block, from the root.
struct Scatter {
  using Data = ScatterData;
  static constexpr Descriptor descriptor =
      describe<Data>({.name = "scatter",
                      .summary = "MPI_Scatter from the root, until the last rank has its block",
                      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
                      .sizes = "the block of each rank (OMB, IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(), data.receive_count(), data.type(), data.receive(root),
                      data.receive_count(), data.type(), root, comm);
  }
};

const Registration<Blocking<Scatter, MPI_Scatter>> scatter;
const Registration<Nonblocking<Scatter, MPI_Iscatter>> iscatter;
const Registration<Persistent<Scatter, HOCKNEY_PERSISTENT(Scatter)>> persistent_scatter;

/// To every rank its block, from the root; blocks may differ.
struct Scatterv {
  using Data = ScatterData;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "scatterv",
       .summary = "MPI_Scatterv from the root, until the last rank has its block",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the mean block of a rank (OMB, IMB: the block, as theirs are equal)",
       .divides = true});

  static auto arguments(Data& data, MPI_Comm comm) {
    const int root = data.next_root();
    return std::tuple(data.send(), data.counts(), data.displacements(), data.type(),
                      data.receive(root), data.receive_count(), data.type(), root, comm);
  }
};

const Registration<Blocking<Scatterv, MPI_Scatterv>> scatterv;
const Registration<Nonblocking<Scatterv, MPI_Iscatterv>> iscatterv;
const Registration<Persistent<Scatterv, HOCKNEY_PERSISTENT(Scatterv)>> persistent_scatterv;

}  // namespace
}  // namespace hockney::benchmarks
