#include "benchmarks/harness/collectives.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney::benchmarks {
namespace {

/// Every rank's vector combined into one result, of which each rank gets its part.
struct ReduceScatter {
  using Data = ScatteredReduction;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "reduce-scatter",
       .summary = "MPI_Reduce_scatter over all ranks, until the last one has its part",
       .counts = "the vector once (nccl-tests: the same; OMB osu_reduce_scatter, IMB "
                 "Reduce_scatter: none)",
       .sizes = "the whole vector (OMB: the same; IMB: the part that a rank gets)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.counts(), data.type(), data.op(), comm);
  }
};

const Registration<Blocking<ReduceScatter, MPI_Reduce_scatter>> reduce_scatter;
const Registration<Nonblocking<ReduceScatter, MPI_Ireduce_scatter>> ireduce_scatter;
const Registration<Persistent<ReduceScatter, HOCKNEY_PERSISTENT(Reduce_scatter)>>
    persistent_reduce_scatter;

/// Every rank's blocks combined into one result, of which each rank gets its block.
struct ReduceScatterBlock {
  using Data = BlockReduction;
  static constexpr Descriptor descriptor = describe<Data>(
      {.name = "reduce-scatter-block",
       .summary = "MPI_Reduce_scatter_block over all ranks, until the last one has its block",
       .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
       .sizes = "the block that a rank gets (IMB: the same)"});

  static auto arguments(Data& data, MPI_Comm comm) {
    return std::tuple(data.send(), data.receive(), data.received(), data.type(), data.op(), comm);
  }
};

const Registration<Blocking<ReduceScatterBlock, MPI_Reduce_scatter_block>> reduce_scatter_block;
const Registration<Nonblocking<ReduceScatterBlock, MPI_Ireduce_scatter_block>>
    ireduce_scatter_block;
const Registration<Persistent<ReduceScatterBlock, HOCKNEY_PERSISTENT(Reduce_scatter_block)>>
    persistent_reduce_scatter_block;

}  // namespace
}  // namespace hockney::benchmarks
