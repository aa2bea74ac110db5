#include "benchmarks/harness/rank_groups.hpp"

#include <algorithm>
#include <map>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/mpi_error.hpp"
#include "benchmarks/harness/operators.hpp"

namespace hockney::benchmarks {
namespace {

/// The lowest rank on the node of each rank.
std::vector<int> node_heads(const Context& context) {
  UniqueComm node;
  mpi_check(MPI_Comm_split_type(context.comm, MPI_COMM_TYPE_SHARED, context.rank, MPI_INFO_NULL,
                                node.out()));
  int head = context.rank;
  mpi_check(MPI_Bcast(&head, 1, MPI_INT, 0, node.get()));
  std::vector<int> heads(static_cast<std::size_t>(context.size));
  mpi_check(MPI_Allgather(&head, 1, MPI_INT, heads.data(), 1, MPI_INT, context.comm));
  return heads;
}

bool are_alike(const std::vector<int>& groups) {
  std::map<int, int> sizes;
  for (const int group : groups) ++sizes[group];
  return std::ranges::all_of(
      sizes, [&](const auto& size) { return size.second == sizes.begin()->second; });
}

/// The group of each rank.
std::vector<int> divide_ranks(const Context& context) {
  std::vector<int> groups = node_heads(context);
  if (std::ranges::count(groups, groups.front()) == std::ssize(groups)) {
    for (int rank = 0; rank < context.size; ++rank) {
      groups[static_cast<std::size_t>(rank)] = 2 * rank < context.size ? 0 : 1;
    }
  }
  if (!are_alike(groups)) std::ranges::fill(groups, 0);
  return groups;
}

}  // namespace

RankGroups::RankGroups(const Context& context) {
  const std::vector<int> heads = divide_ranks(context);
  std::map<int, int> numbers;  // of the groups, in order of their heads
  for (const int head : heads) numbers.try_emplace(head, 0);
  int next = 0;
  for (auto& [head, number] : numbers) number = next++;
  std::map<int, int> filled;
  for (const int head : heads) {
    places_.push_back({.group = numbers[head], .local = filled[head]++});
  }
  group_size_ = filled.begin()->second;
  const GroupPlace& own = place(context.rank);
  mpi_check(MPI_Comm_split(context.comm, own.group, context.rank, group_.out()));
  mpi_check(MPI_Comm_split(context.comm, own.local, own.group, lane_.out()));
}

int RankGroups::rank_at(const GroupPlace& place) const {
  const auto found = std::ranges::find_if(places_, [&](const GroupPlace& other) {
    return other.group == place.group && other.local == place.local;
  });
  return static_cast<int>(found - places_.begin());
}

std::optional<std::string> order_obstacle(const Point& point) {
  if (operator_of(point).combine != Combine::ordered) return std::nullopt;
  return "its operator needs the ranks in order, and nodes need not hold them so";
}

UniqueComm in_order_of_positions(MPI_Comm comm, const std::vector<int>& positions) {
  const int position = positions.at(static_cast<std::size_t>(rank_in(comm)));
  UniqueComm ordered;
  mpi_check(MPI_Comm_split(comm, 0, position, ordered.out()));
  return ordered;
}

}  // namespace hockney::benchmarks
