#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Parts that could differ, and do not.
class ReduceScatterBlockByReduceScatter : public ReduceScatterBlockEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-scatter-block-by-reduce-scatter",
               "MPI_Reduce_scatter with equal counts, until the last rank has its block");
  static constexpr Emulated emulated{.operation = "reduce-scatter-block",
                                     .guideline = "reduce-scatter-block <= reduce-scatter"};
  ReduceScatterBlockByReduceScatter(const Context& context, const Point& point)
      : ReduceScatterBlockEmulation(context, point),
        counts_(static_cast<std::size_t>(size_), data_.received()) {}

  void run() {
    MPI_Reduce_scatter(data_.send(), data_.receive(), counts_.data(), data_.type(), data_.op(),
                       comm_);
  }

 private:
  std::vector<int> counts_;
};

const MockUp<ReduceScatterBlockByReduceScatter> reduce_scatter_block_by_reduce_scatter;

}  // namespace
}  // namespace hockney
