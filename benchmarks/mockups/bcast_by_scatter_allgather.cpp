#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// A part to each rank, and all parts to all; a message that cannot be divided is padded.
class BcastByScatterAllgather : public BcastEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-scatter-allgather",
               "MPI_Scatter of padded parts from the root and MPI_Allgather in place, until the "
               "last rank has all");
  static constexpr Emulated emulated{.operation = "bcast",
                                     .guideline = "bcast <= scatter + allgather"};
  BcastByScatterAllgather(const Context& context, const Point& point)
      : BcastEmulation(context, point),
        auxiliary_(auxiliary(context, bytes(std::int64_t{share(data_.count())} * size_))) {}

  void run() {
    const int root = data_.next_root();
    const int part = share(data_.count());
    const bool is_padded = part * size_ != data_.count();
    void* all = is_padded ? auxiliary_.data() : data_.message();
    if (is_padded && rank_ == root) copy(data_.message(), all, data_.count());
    void* own = at(all, std::int64_t{rank_} * part, extent_);
    MPI_Scatter(all, part, data_.type(), rank_ == root ? MPI_IN_PLACE : own, part, data_.type(),
                root, comm_);
    MPI_Allgather(MPI_IN_PLACE, part, data_.type(), all, part, data_.type(), comm_);
    if (is_padded && rank_ != root) copy(all, data_.message(), data_.count());
  }

 private:
  Buffer auxiliary_;
};

const MockUp<BcastByScatterAllgather> bcast_by_scatter_allgather;

}  // namespace
}  // namespace hockney
