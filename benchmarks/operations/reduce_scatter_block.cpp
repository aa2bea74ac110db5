#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/reductions.hpp"

namespace hockney {
namespace {

/// Every rank's blocks combined into one result, of which each rank gets its block.
class ReduceScatterBlock {
 public:
  static constexpr Descriptor descriptor{
      .name = "reduce-scatter-block",
      .summary = "MPI_Reduce_scatter_block over all ranks, until the last one has its block",
      .counts = "all blocks, ranks x bytes (nccl-tests: the same; OMB, IMB: none)",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .reduces = true,
      .sizes = "the block that a rank gets (IMB: the same)",
      .blocks = true,
      .in_place = InPlace::consumed};

  static Account account(const Point& point) { return allgather_account(point); }

  ReduceScatterBlock(const Context& context, const Point& point)
      : comm_(context.comm), data_(context, point, block_reduction(context, point)) {}

  void run() {
    MPI_Reduce_scatter_block(data_.send(), data_.receive(), data_.received(), data_.type(),
                             data_.op(), comm_);
  }

  void refill(std::uint64_t seed) { data_.refill(seed); }
  void ready() { data_.ready(); }
  [[nodiscard]] bool verify(std::uint64_t seed) const { return data_.verify(seed); }

 private:
  MPI_Comm comm_;
  Reduction data_;
};

const Registration<ReduceScatterBlock> reduce_scatter_block;

}  // namespace
}  // namespace hockney
