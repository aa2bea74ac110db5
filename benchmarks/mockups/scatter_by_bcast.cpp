#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// All blocks to all ranks, of which each keeps its own.
class ScatterByBcast : public RootedEmulation<ScatterData> {
 public:
  static constexpr Descriptor descriptor =
      describe("scatter-by-bcast",
               "MPI_Bcast of all blocks and a copy of the own one, until the last rank has it");
  static constexpr Emulated emulated{.operation = "scatter", .guideline = "scatter <= bcast"};
  ScatterByBcast(const Context& context, const Point& point)
      : RootedEmulation<ScatterData>(context, point),
        auxiliary_(auxiliary(context, bytes(std::int64_t{size_} * data_.receive_count()))) {}

  void run() {
    const int root = data_.next_root();
    const int count = data_.receive_count();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the root's data are only read
    void* all = rank_ == root ? const_cast<void*>(data_.send()) : auxiliary_.data();
    MPI_Bcast(all, size_ * count, data_.type(), root, comm_);
    copy(at(all, std::int64_t{rank_} * count, extent_), data_.receive(root), count);
  }

 private:
  Buffer auxiliary_;
};

const MockUp<ScatterByBcast> scatter_by_bcast;

}  // namespace
}  // namespace hockney
