#include <numeric>

#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The whole result on all ranks, of which each keeps its part.
class ReduceScatterByAllreduce : public ReduceScatterEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "reduce-scatter-by-allreduce",
      "MPI_Allreduce of the vector and a copy of the own part, until the last rank has it");
  static constexpr Emulated emulated{.operation = "reduce-scatter",
                                     .guideline = "reduce-scatter <= allreduce"};
  ReduceScatterByAllreduce(const Context& context, const Point& point)
      : ReduceScatterEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(data_.count()))),
        own_(std::accumulate(data_.counts(), data_.counts() + rank_, 0)) {}

  void run() {
    MPI_Allreduce(data_.send(), auxiliary_.data(), data_.count(), data_.type(), data_.op(), comm_);
    copy(at(auxiliary_.data(), own_, extent_), data_.receive(), data_.received());
  }

 private:
  Buffer auxiliary_;
  int own_;  ///< first element of the own part
};

const MockUp<ReduceScatterByAllreduce> reduce_scatter_by_allreduce;

}  // namespace
}  // namespace hockney
