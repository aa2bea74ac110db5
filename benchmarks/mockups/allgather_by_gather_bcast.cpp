#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// All blocks on one rank, and from there to all.
class AllgatherByGatherBcast : public AllgatherEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("allgather-by-gather-bcast",
               "MPI_Gather to rank 0 and MPI_Bcast of all blocks, until the last rank has them");
  static constexpr Emulated emulated{.operation = "allgather",
                                     .guideline = "allgather <= gather + bcast"};
  using AllgatherEmulation::AllgatherEmulation;

  void run() {
    const int count = data_.send_count();
    MPI_Gather(data_.send(), count, data_.type(), data_.receive(), count, data_.type(), 0, comm_);
    MPI_Bcast(data_.receive(), size_ * count, data_.type(), 0, comm_);
  }
};

const MockUp<AllgatherByGatherBcast> allgather_by_gather_bcast;

}  // namespace
}  // namespace hockney
