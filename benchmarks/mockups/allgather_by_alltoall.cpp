#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The own block for everybody, once for each.
class AllgatherByAlltoall : public AllgatherEmulation {
 public:
  static constexpr Descriptor descriptor = describe(
      "allgather-by-alltoall",
      "a copy of the block for each rank and MPI_Alltoall, until the last rank is through");
  static constexpr Emulated emulated{.operation = "allgather",
                                     .guideline = "allgather <= alltoall"};
  AllgatherByAlltoall(const Context& context, const Point& point)
      : AllgatherEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(std::int64_t{size_} * data_.send_count()))) {}

  void run() {
    const int count = data_.send_count();
    for (int rank = 0; rank < size_; ++rank) {
      copy(data_.send(), at(auxiliary_.data(), std::int64_t{rank} * count, extent_), count);
    }
    MPI_Alltoall(auxiliary_.data(), count, data_.type(), data_.receive(), count, data_.type(),
                 comm_);
  }

 private:
  Buffer auxiliary_;
};

const MockUp<AllgatherByAlltoall> allgather_by_alltoall;

}  // namespace
}  // namespace hockney
