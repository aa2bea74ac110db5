#include "benchmarks/harness/guidelines.hpp"

namespace hockney {
namespace {

/// Whoever has the sum of all ranks knows that all have come.
class BarrierByAllreduce {
 public:
  static constexpr Descriptor descriptor{
      .name = "barrier-by-allreduce",
      .summary = "MPI_Allreduce of one number over all ranks, until the last one has it",
      .counts = "nothing, as the operation whose work it does",
      .shape = TeamShape::everybody,
      .timing = Timing::last_rank,
      .single = true,
      .sized = false,
      .sizes = "nothing: there is one size, 0"};
  static constexpr Emulated emulated{.operation = "barrier",
                                     .guideline = "barrier <= allreduce of one element"};

  static Account account(const Point&) { return {.operations = 1}; }

  BarrierByAllreduce(const Context& context, const Point&)
      : comm_(context.comm), size_(context.size) {}

  void run() { MPI_Allreduce(&one_, &sum_, 1, MPI_INT, MPI_SUM, comm_); }

  void refill(std::uint64_t) { sum_ = 0; }
  [[nodiscard]] bool verify(std::uint64_t) const { return sum_ == size_; }

 private:
  MPI_Comm comm_;
  int size_;
  int one_ = 1;
  int sum_ = 0;
};

const MockUp<BarrierByAllreduce> barrier_by_allreduce;

}  // namespace
}  // namespace hockney
