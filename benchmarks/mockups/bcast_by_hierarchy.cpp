#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// To one rank of each group, and from there to its group.
class BcastByHierarchy : public BcastEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("bcast-by-hierarchy",
               "MPI_Bcast between the nodes (or halves of one node) and MPI_Bcast in each, until "
               "the last rank has it");
  static constexpr Emulated emulated{.operation = "bcast",
                                     .guideline = "bcast <= hierarchical bcast"};
  BcastByHierarchy(const Context& context, const Point& point)
      : BcastEmulation(context, point), groups_(context) {}

  void run() {
    const GroupPlace& root = groups_.place(data_.next_root());
    if (groups_.place(rank_).local == root.local) {
      MPI_Bcast(data_.message(), data_.count(), data_.type(), root.group, groups_.lane());
    }
    MPI_Bcast(data_.message(), data_.count(), data_.type(), root.local, groups_.group());
  }

 private:
  RankGroups groups_;
};

const MockUp<BcastByHierarchy> bcast_by_hierarchy;

}  // namespace
}  // namespace hockney
