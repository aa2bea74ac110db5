#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/handle.hpp"

namespace hockney::benchmarks {

/// Where a rank is among groups of ranks that are near to each other.
struct GroupPlace {
  int group = 0;  ///< its number, which is the rank in every lane
  int local = 0;  ///< rank in the group, and number of the lane
};

/// The ranks of a context in groups of equal size, for collectives in two levels: the nodes; where
/// all ranks are on one node, its first and its second half; where these differ in size, all ranks
/// in one group. A lane holds the ranks with one place in all groups, in order of groups; lane 0
/// are the leaders. Construction is collective.
class RankGroups {
 public:
  explicit RankGroups(const Context& context);

  [[nodiscard]] MPI_Comm group() const { return group_.get(); }  ///< of this rank
  [[nodiscard]] MPI_Comm lane() const { return lane_.get(); }    ///< of this rank
  [[nodiscard]] const GroupPlace& place(int rank) const {
    return places_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] int group_size() const { return group_size_; }
  [[nodiscard]] int groups() const { return static_cast<int>(places_.size()) / group_size_; }
  /// The rank at a place.
  [[nodiscard]] int rank_at(const GroupPlace& place) const;

 private:
  UniqueComm group_;
  UniqueComm lane_;
  int group_size_ = 1;
  std::vector<GroupPlace> places_;
};

/// Why a reduction cannot go through groups: they need not be in the order of ranks, which matters
/// to the point's operator. nullopt when it can.
std::optional<std::string> order_obstacle(const Point& point);

/// A communicator in which each rank has its position as its rank. Collective.
UniqueComm in_order_of_positions(MPI_Comm comm, const std::vector<int>& positions);

}  // namespace hockney::benchmarks
