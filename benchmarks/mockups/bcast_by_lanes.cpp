#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The parts go between the groups side by side, each on its own lane.
class BcastByLanes : public BcastEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-lanes",
               "MPI_Scatter in the node of the root (or half of one node), MPI_Bcast of each part "
               "between nodes, MPI_Allgather in each");
  static constexpr Emulated emulated{.operation = "bcast",
                                     .guideline = "bcast <= multi-lane bcast"};
  BcastByLanes(const Context& context, const Point& point)
      : BcastEmulation(context, point),
        groups_(context),
        auxiliary_(auxiliary(context, bytes(data_.count() + size_))) {}

  void run() {
    const GroupPlace& root = groups_.place(data_.next_root());
    const GroupPlace& own = groups_.place(rank_);
    const bool is_root = own.group == root.group && own.local == root.local;
    const int lanes = groups_.group_size();
    const int part = (data_.count() + lanes - 1) / lanes;
    const bool is_padded = part * lanes != data_.count();
    void* all = is_padded ? auxiliary_.data() : data_.message();
    void* mine = at(all, std::int64_t{own.local} * part, extent_);
    if (is_padded && is_root) copy(data_.message(), all, data_.count());
    if (own.group == root.group) {
      MPI_Scatter(all, part, data_.type(), is_root ? MPI_IN_PLACE : mine, part, data_.type(),
                  root.local, groups_.group());
    }
    MPI_Bcast(mine, part, data_.type(), root.group, groups_.lane());
    MPI_Allgather(MPI_IN_PLACE, part, data_.type(), all, part, data_.type(), groups_.group());
    if (is_padded && !is_root) copy(all, data_.message(), data_.count());
  }

 private:
  RankGroups groups_;
  Buffer auxiliary_;
};

const MockUp<BcastByLanes> bcast_by_lanes;

}  // namespace
}  // namespace hockney
