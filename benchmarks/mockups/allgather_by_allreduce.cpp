#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// All blocks as one vector, to which every rank contributes zeros and its own block.
class AllgatherByAllreduce : public AllgatherEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("allgather-by-allreduce",
               "MPI_Allreduce (MPI_BOR) of all blocks, zero but for the own one, until the last "
               "rank is through");
  static constexpr Emulated emulated{.operation = "allgather",
                                     .guideline = "allgather <= allreduce"};
  AllgatherByAllreduce(const Context& context, const Point& point)
      : AllgatherEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(std::int64_t{size_} * data_.send_count()))) {}

  void run() {
    const int all = size_ * data_.send_count();
    std::memset(auxiliary_.data(), 0, bytes(all));
    copy(data_.send(), at(auxiliary_.data(), std::int64_t{rank_} * data_.send_count(), extent_),
         data_.send_count());
    MPI_Allreduce(auxiliary_.data(), data_.receive(), static_cast<int>(bytes(all)), MPI_BYTE,
                  MPI_BOR, comm_);
  }

 private:
  Buffer auxiliary_;
};

const MockUp<AllgatherByAllreduce> allgather_by_allreduce;

}  // namespace
}  // namespace hockney
