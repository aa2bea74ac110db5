#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The leaders exchange the blocks of their groups.
class AllgatherByHierarchy : public AllgatherEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("allgather-by-hierarchy",
               "MPI_Gather in each node (or half of one node), MPI_Allgather between them, "
               "MPI_Bcast in each, and blocks put in order");
  static constexpr Emulated emulated{.operation = "allgather",
                                     .guideline = "allgather <= hierarchical allgather"};
  AllgatherByHierarchy(const Context& context, const Point& point)
      : AllgatherEmulation(context, point),
        groups_(context),
        own_(auxiliary(context, bytes(std::int64_t{groups_.group_size()} * data_.send_count()))),
        auxiliary_(auxiliary(context, bytes(std::int64_t{size_} * data_.send_count()))) {
    for (int rank = 0; rank < size_; ++rank) in_order_ = in_order_ && position(rank) == rank;
  }

  void run() {
    const int count = data_.send_count();
    const int of_group = groups_.group_size() * count;
    MPI_Gather(data_.send(), count, data_.type(), own_.data(), count, data_.type(), 0,
               groups_.group());
    void* all = in_order_ ? data_.receive() : auxiliary_.data();
    if (groups_.place(rank_).local == 0) {
      MPI_Allgather(own_.data(), of_group, data_.type(), all, of_group, data_.type(),
                    groups_.lane());
    }
    MPI_Bcast(all, size_ * count, data_.type(), 0, groups_.group());
    if (!in_order_) put_in_order(count);
  }

 private:
  /// Where the block of a rank is when they are in order of groups.
  [[nodiscard]] int position(int rank) const {
    return groups_.place(rank).group * groups_.group_size() + groups_.place(rank).local;
  }

  void put_in_order(int count) {
    for (int rank = 0; rank < size_; ++rank) {
      copy(at(auxiliary_.data(), std::int64_t{position(rank)} * count, extent_),
           at(data_.receive(), std::int64_t{rank} * count, extent_), count);
    }
  }

  RankGroups groups_;
  Buffer own_;
  Buffer auxiliary_;
  bool in_order_ = true;
};

const MockUp<AllgatherByHierarchy> allgather_by_hierarchy;

}  // namespace
}  // namespace hockney
