#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Of all parts only that of the root is not empty.
class ReduceByReduceScatter : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-by-reduce-scatter",
      "MPI_Reduce_scatter, of which the root alone gets a part, until the last rank is through");
  static constexpr Emulated emulated{.operation = "reduce",
                                     .guideline = "reduce <= reduce-scatter"};
  ReduceByReduceScatter(const Context& context, const Point& point)
      : ReduceEmulation(context, point), counts_(static_cast<std::size_t>(size_)) {}

  void run() {
    const int root = data_.next_root();
    const Reduction& reduction = data_.data();
    counts_[static_cast<std::size_t>(last_)] = 0;
    counts_[static_cast<std::size_t>(root)] = reduction.count();
    last_ = root;
    MPI_Reduce_scatter(data_.send(root), reduction.receive(), counts_.data(), reduction.type(),
                       reduction.op(), comm_);
  }

 private:
  std::vector<int> counts_;
  int last_ = 0;  ///< root of the call before
};

const MockUp<ReduceByReduceScatter> reduce_by_reduce_scatter;

}  // namespace
}  // namespace hockney
