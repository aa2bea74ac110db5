#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Parts of whole chunks of the result, and all parts to the root.
class ReduceByReduceScatterGatherv : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-reduce-scatter-gatherv",
               "MPI_Reduce_scatter and MPI_Gatherv of parts of four elements times some, until the "
               "last rank is through");
  static constexpr Emulated emulated{.operation = "reduce",
                                     .guideline = "reduce <= reduce-scatter + gatherv"};
  ReduceByReduceScatterGatherv(const Context& context, const Point& point)
      : ReduceEmulation(context, point), parts_(chunks_of_four(data_.data().count(), size_)) {}

  void run() {
    const int root = data_.next_root();
    const Reduction& reduction = data_.data();
    const auto rank = static_cast<std::size_t>(rank_);
    void* own = at(reduction.receive(), parts_.displacements[rank], extent_);
    MPI_Reduce_scatter(data_.send(root), own, parts_.counts.data(), reduction.type(),
                       reduction.op(), comm_);
    MPI_Gatherv(rank_ == root ? MPI_IN_PLACE : own, parts_.counts[rank], reduction.type(),
                reduction.receive(), parts_.counts.data(), parts_.displacements.data(),
                reduction.type(), root, comm_);
  }

 private:
  Division parts_;
};

const MockUp<ReduceByReduceScatterGatherv> reduce_by_reduce_scatter_gatherv;

}  // namespace
}  // namespace hockney
