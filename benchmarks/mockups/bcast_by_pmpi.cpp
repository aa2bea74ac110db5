#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The library's own function, past whatever stands before it: a tool that watches MPI calls must
/// not make them slower. Without a tool both sides are the same.
class BcastByPmpi : public BcastEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-pmpi", "PMPI_Bcast from the root to all, until the last one has it");
  static constexpr Emulated emulated{.operation = "bcast",
                                     .guideline = "bcast <= bcast without tools"};

  using BcastEmulation::BcastEmulation;

  void run() { PMPI_Bcast(data_.message(), data_.count(), data_.type(), data_.next_root(), comm_); }
};

const MockUp<BcastByPmpi> bcast_by_pmpi;

}  // namespace
}  // namespace hockney
