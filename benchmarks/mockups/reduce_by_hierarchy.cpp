#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The results of the groups are combined on the way to the root.
class ReduceByHierarchy : public ReduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("reduce-by-hierarchy",
               "MPI_Reduce in each node (or half of one node) and MPI_Reduce between them, until "
               "the last rank is through");
  static constexpr Emulated emulated{.operation = "reduce",
                                     .guideline = "reduce <= hierarchical reduce"};
  static std::optional<std::string> obstacle(const Point& point) { return order_obstacle(point); }
  ReduceByHierarchy(const Context& context, const Point& point)
      : ReduceEmulation(context, point),
        groups_(context),
        between_(auxiliary(context, bytes(data_.data().count()))) {}

  void run() {
    const int root = data_.next_root();
    const GroupPlace& to = groups_.place(root);
    const Reduction& reduction = data_.data();
    MPI_Reduce(data_.send(root), between_.data(), reduction.count(), reduction.type(),
               reduction.op(), to.local, groups_.group());
    if (groups_.place(rank_).local != to.local) return;
    MPI_Reduce(between_.data(), reduction.receive(), reduction.count(), reduction.type(),
               reduction.op(), to.group, groups_.lane());
  }

 private:
  RankGroups groups_;
  Buffer between_;
};

const MockUp<ReduceByHierarchy> reduce_by_hierarchy;

}  // namespace
}  // namespace hockney
