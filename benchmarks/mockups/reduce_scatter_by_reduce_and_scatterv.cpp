#include <numeric>

#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The whole result on one rank, which hands the parts out.
class ReduceScatterByReduceAndScatterv : public ReduceScatterEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-scatter-by-reduce-and-scatterv",
      "MPI_Reduce to rank 0 and MPI_Scatterv of the result, until the last rank has its part");
  static constexpr Emulated emulated{.operation = "reduce-scatter",
                                     .guideline = "reduce-scatter <= reduce + scatterv"};
  ReduceScatterByReduceAndScatterv(const Context& context, const Point& point)
      : ReduceScatterEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(data_.count()))),
        displacements_(static_cast<std::size_t>(size_)) {
    std::exclusive_scan(data_.counts(), data_.counts() + size_, displacements_.begin(), 0);
  }

  void run() {
    MPI_Reduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), 0, comm_);
    MPI_Scatterv(auxiliary_.data(), data_.counts(), displacements_.data(), data_.type(),
                 data_.receive(), data_.received(), data_.type(), 0, comm_);
  }

 private:
  Buffer auxiliary_;
  std::vector<int> displacements_;
};

const MockUp<ReduceScatterByReduceAndScatterv> reduce_scatter_by_reduce_and_scatterv;

}  // namespace
}  // namespace hockney
