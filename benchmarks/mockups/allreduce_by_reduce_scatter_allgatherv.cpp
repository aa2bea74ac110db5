#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Parts of whole chunks of the result, and all parts to all.
class AllreduceByReduceScatterAllgatherv : public AllreduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-reduce-scatter-allgatherv",
               "MPI_Reduce_scatter and MPI_Allgatherv of parts of four elements times some, until "
               "the last rank has all");
  static constexpr Emulated emulated{.operation = "allreduce",
                                     .guideline = "allreduce <= reduce-scatter + allgatherv"};
  AllreduceByReduceScatterAllgatherv(const Context& context, const Point& point)
      : AllreduceEmulation(context, point), parts_(chunks_of_four(data_.count(), size_)) {}

  void run() {
    void* own = at(data_.receive(), parts_.displacements[static_cast<std::size_t>(rank_)], extent_);
    MPI_Reduce_scatter(data_.send(), own, parts_.counts.data(), data_.type(), data_.op(), comm_);
    MPI_Allgatherv(MPI_IN_PLACE, 0, data_.type(), data_.receive(), parts_.counts.data(),
                   parts_.displacements.data(), data_.type(), comm_);
  }

 private:
  Division parts_;
};

const MockUp<AllreduceByReduceScatterAllgatherv> allreduce_by_reduce_scatter_allgatherv;

}  // namespace
}  // namespace hockney
