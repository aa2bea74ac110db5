#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Everybody gets what the root alone should.
class GatherByAllgather : public RootedEmulation<GatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("gather-by-allgather", "MPI_Allgather, until the last rank is through");
  static constexpr Emulated emulated{.operation = "gather", .guideline = "gather <= allgather"};
  using RootedEmulation<GatherData>::RootedEmulation;

  void run() {
    const int count = data_.send_count();
    data_.next_root();
    MPI_Allgather(data_.send(BlockBuffer::nobody), count, data_.type(), data_.receive(), count,
                  data_.type(), comm_);
  }
};

const MockUp<GatherByAllgather> gather_by_allgather;

}  // namespace
}  // namespace hockney
