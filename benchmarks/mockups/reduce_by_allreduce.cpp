#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Everybody gets what the root alone should.
class ReduceByAllreduce : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-allreduce", "MPI_Allreduce, until the last rank is through");
  static constexpr Emulated emulated{.operation = "reduce", .guideline = "reduce <= allreduce"};
  using ReduceEmulation::ReduceEmulation;

  void run() {
    const Reduction& reduction = data_.data();
    MPI_Allreduce(data_.send(data_.next_root()), reduction.receive(), reduction.count(),
                  reduction.type(), reduction.op(), comm_);
  }
};

const MockUp<ReduceByAllreduce> reduce_by_allreduce;

}  // namespace
}  // namespace hockney
