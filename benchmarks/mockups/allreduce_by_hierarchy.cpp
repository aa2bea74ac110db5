#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The results of the groups are combined between their leaders.
class AllreduceByHierarchy : public AllreduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-hierarchy",
               "MPI_Reduce in each node (or half of one node), MPI_Allreduce between them, "
               "MPI_Bcast in each");
  static constexpr Emulated emulated{.operation = "allreduce",
                                     .guideline = "allreduce <= hierarchical allreduce"};
  static std::optional<std::string> obstacle(const Point& point) { return order_obstacle(point); }
  AllreduceByHierarchy(const Context& context, const Point& point)
      : AllreduceEmulation(context, point),
        groups_(context),
        between_(auxiliary(context, bytes(data_.count()))) {}

  void run() {
    const bool leads = groups_.place(rank_).local == 0;
    MPI_Reduce(data_.send(), leads ? between_.data() : nullptr, data_.count(), data_.type(),
               data_.op(), 0, groups_.group());
    if (leads) {
      MPI_Allreduce(between_.data(), data_.receive(), data_.count(), data_.type(), data_.op(),
                    groups_.lane());
    }
    MPI_Bcast(data_.receive(), data_.count(), data_.type(), 0, groups_.group());
  }

 private:
  RankGroups groups_;
  Buffer between_;
};

const MockUp<AllreduceByHierarchy> allreduce_by_hierarchy;

}  // namespace
}  // namespace hockney
