#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// Of all blocks only that of the root is not empty.
class BcastByAllgatherv : public BcastEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-allgatherv",
               "MPI_Allgatherv in place, to which the root alone contributes, until the last rank "
               "has the message");
  static constexpr Emulated emulated{.operation = "bcast", .guideline = "bcast <= allgatherv"};
  BcastByAllgatherv(const Context& context, const Point& point)
      : BcastEmulation(context, point),
        counts_(static_cast<std::size_t>(size_)),
        nowhere_(static_cast<std::size_t>(size_)) {}

  void run() {
    const int root = data_.next_root();
    counts_[static_cast<std::size_t>(last_)] = 0;
    counts_[static_cast<std::size_t>(root)] = data_.count();
    last_ = root;
    MPI_Allgatherv(MPI_IN_PLACE, 0, data_.type(), data_.message(), counts_.data(), nowhere_.data(),
                   data_.type(), comm_);
  }

 private:
  std::vector<int> counts_;
  std::vector<int> nowhere_;  ///< displacements: everybody's block begins where the buffer does
  int last_ = 0;              ///< root of the call before
};

const MockUp<BcastByAllgatherv> bcast_by_allgatherv;

}  // namespace
}  // namespace hockney
