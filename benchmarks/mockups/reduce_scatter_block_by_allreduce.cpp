#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The whole result on all ranks, of which each keeps its block.
class ReduceScatterBlockByAllreduce : public ReduceScatterBlockEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-scatter-block-by-allreduce",
               "MPI_Allreduce of all blocks and a copy of the own one, until the last rank has it");
  static constexpr Emulated emulated{.operation = "reduce-scatter-block",
                                     .guideline = "reduce-scatter-block <= allreduce"};
  ReduceScatterBlockByAllreduce(const Context& context, const Point& point)
      : ReduceScatterBlockEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(data_.count()))) {}

  void run() {
    MPI_Allreduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), comm_);
    copy(at(auxiliary_.data(), std::int64_t{rank_} * data_.received(), extent_), data_.receive(),
         data_.received());
  }

 private:
  Buffer auxiliary_;
};

const MockUp<ReduceScatterBlockByAllreduce> reduce_scatter_block_by_allreduce;

}  // namespace
}  // namespace hockney
