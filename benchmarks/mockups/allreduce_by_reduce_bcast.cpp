#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The result on one rank, and from there to all.
class AllreduceByReduceBcast : public AllreduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-reduce-bcast",
               "MPI_Reduce to rank 0 and MPI_Bcast of the result, until the last rank has it");
  static constexpr Emulated emulated{.operation = "allreduce",
                                     .guideline = "allreduce <= reduce + bcast"};
  using AllreduceEmulation::AllreduceEmulation;

  void run() {
    MPI_Reduce(data_.send(), data_.receive(), data_.count(), data_.type(), data_.op(), 0, comm_);
    MPI_Bcast(data_.receive(), data_.count(), data_.type(), 0, comm_);
  }
};

const MockUp<AllreduceByReduceBcast> allreduce_by_reduce_bcast;

}  // namespace
}  // namespace hockney
