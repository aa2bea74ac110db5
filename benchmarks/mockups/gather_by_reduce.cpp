#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// All blocks as one vector, to which every rank contributes zeros and its own block.
class GatherByReduce : public RootedEmulation<GatherData> {
 public:
  static constexpr Descriptor descriptor =
      describe("gather-by-reduce",
               "MPI_Reduce (MPI_BOR) of all blocks, zero but for the own one, until the last rank "
               "is through");
  static constexpr Emulated emulated{.operation = "gather", .guideline = "gather <= reduce"};
  GatherByReduce(const Context& context, const Point& point)
      : RootedEmulation<GatherData>(context, point),
        auxiliary_(auxiliary(context, bytes(std::int64_t{size_} * data_.send_count()))) {}

  void run() {
    const int root = data_.next_root();
    const int count = data_.send_count();
    const std::size_t all = bytes(std::int64_t{size_} * count);
    std::memset(auxiliary_.data(), 0, all);
    copy(data_.send(BlockBuffer::nobody),
         at(auxiliary_.data(), std::int64_t{rank_} * count, extent_), count);
    MPI_Reduce(auxiliary_.data(), data_.receive(), static_cast<int>(all), MPI_BYTE, MPI_BOR, root,
               comm_);
  }

 private:
  Buffer auxiliary_;
};

const MockUp<GatherByReduce> gather_by_reduce;

}  // namespace
}  // namespace hockney
