#include "benchmarks/harness/rank_groups.hpp"
#include "benchmarks/mockups/emulated_operations.hpp"

namespace hockney {
namespace {

/// The parts of the result are combined between the groups side by side.
class AllreduceByLanes : public AllreduceEmulation {
 public:
  static constexpr Descriptor descriptor =
      describe("allreduce-by-lanes",
               "MPI_Reduce_scatter in each node (or half of one node), MPI_Allreduce of each part "
               "between them, MPI_Allgatherv in each");
  static constexpr Emulated emulated{.operation = "allreduce",
                                     .guideline = "allreduce <= multi-lane allreduce"};
  static std::optional<std::string> obstacle(const Point& point) { return order_obstacle(point); }
  AllreduceByLanes(const Context& context, const Point& point)
      : AllreduceEmulation(context, point),
        groups_(context),
        parts_(divide(data_.count(), groups_.group_size())),
        between_(auxiliary(context, bytes(data_.count()))) {}

  void run() {
    const auto local = static_cast<std::size_t>(groups_.place(rank_).local);
    void* own = at(data_.receive(), parts_.displacements[local], extent_);
    MPI_Reduce_scatter(data_.send(), between_.data(), parts_.counts.data(), data_.type(),
                       data_.op(), groups_.group());
    MPI_Allreduce(between_.data(), own, parts_.counts[local], data_.type(), data_.op(),
                  groups_.lane());
    MPI_Allgatherv(MPI_IN_PLACE, 0, data_.type(), data_.receive(), parts_.counts.data(),
                   parts_.displacements.data(), data_.type(), groups_.group());
  }

 private:
  RankGroups groups_;
  Division parts_;
  Buffer between_;
};

const MockUp<AllreduceByLanes> allreduce_by_lanes;

}  // namespace
}  // namespace hockney
