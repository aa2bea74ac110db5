#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The whole result on one rank, which hands the blocks out.
class ReduceScatterBlockByReduceAndScatter : public ReduceScatterBlockEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-scatter-block-by-reduce-and-scatter",
      "MPI_Reduce to rank 0 and MPI_Scatter of the result, until the last rank has its block");
  static constexpr Emulated emulated{.operation = "reduce-scatter-block",
                                     .guideline = "reduce-scatter-block <= reduce + scatter"};
  ReduceScatterBlockByReduceAndScatter(const Context& context, const Point& point)
      : ReduceScatterBlockEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(data_.count()))) {}

  void run() {
    MPI_Reduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), 0, comm_);
    MPI_Scatter(auxiliary_.data(), data_.received(), data_.type(), data_.receive(),
                data_.received(), data_.type(), 0, comm_);
  }

 private:
  Buffer auxiliary_;
};

const MockUp<ReduceScatterBlockByReduceAndScatter> reduce_scatter_block_by_reduce_and_scatter;

}  // namespace
}  // namespace hockney
