#include "components/application/library/communicators.hpp"

#include <numeric>

#include "components/application/library/real.hpp"

namespace hockney::profile {
namespace {

constexpr auto predefined = static_cast<std::uint32_t>(Function::count);

/// World ranks of a group; frees the group.
std::vector<int> world_ranks(MPI_Group group) {
  int size = 0;
  real::Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> world(ranks.size());
  MPI_Group all{};
  real::Comm_group(handles().world, &all);
  real::Group_translate_ranks(group, size, ranks.data(), all, world.data());
  real::Group_free(&all);
  real::Group_free(&group);
  for (int& rank : world) {
    if (rank < 0) rank = -1;  // MPI_UNDEFINED
  }
  return world;
}

std::uint64_t hash_of(const std::vector<int>& ranks, std::uint64_t hash) {
  for (const int rank : ranks) hash = (hash ^ static_cast<std::uint32_t>(rank)) * 0x100000001b3U;
  return hash;
}

constexpr std::uint64_t hash_begin = 0xcbf29ce484222325U;

}  // namespace

Group Communicators::query(MPI_Comm comm) {
  Group group;
  int two_sides = 0;
  real::Comm_test_inter(comm, &two_sides);
  real::Comm_size(comm, &group.size);
  real::Comm_rank(comm, &group.rank);
  group.has_two_sides = two_sides != 0;
  MPI_Group ranks{};
  if (group.has_two_sides) {
    MPI_Group own{};
    real::Comm_group(comm, &own);
    group.own_side_hash = hash_of(world_ranks(own), hash_begin);
    real::Comm_remote_group(comm, &ranks);
  } else {
    real::Comm_group(comm, &ranks);
  }
  group.world = std::make_shared<const std::vector<int>>(world_ranks(ranks));
  group.peers = static_cast<int>(group.world->size());
  return group;
}

Group& Communicators::add(Handle handle, Group group, std::uint32_t made_by, int kind) {
  std::uint64_t hash = hash_of(*group.world, hash_begin);
  if (group.has_two_sides) hash = ~(hash + group.own_side_hash);  // equal on both sides
  Made& made = made_of_[hash];
  if (made.world == nullptr) made.world = group.world;
  group.world = made.world;
  const CommunicatorRow row{.ranks_hash = hash,
                            .instance = made.times++,
                            .made_by = made_by,
                            .size = group.has_two_sides ? group.size + group.peers : group.size,
                            .predefined = kind};
  if (rows_.add(row) != nullptr) {
    group.row = static_cast<std::uint32_t>(rows_.size() - 1);
  } else {
    ++lost_;
  }
  last_ = nullptr;
  return known_[handle] = std::move(group);
}

void Communicators::begin() {
  add(handle_of(handles().world), query(handles().world), predefined, 1);
  add(handle_of(handles().self), query(handles().self), predefined, 2);
}

const Group& Communicators::of(MPI_Comm comm) {
  const Handle handle = handle_of(comm);
  if (last_ != nullptr && handle == last_handle_) return *last_;
  const auto found = known_.find(handle);
  last_ = found != known_.end() ? &found->second : &add(handle, query(comm), predefined, 0);
  last_handle_ = handle;
  return *last_;
}

const Group& Communicators::of_window(MPI_Win window) {
  const Handle handle = handle_of(window);
  const auto found = windows_.find(handle);
  if (found != windows_.end()) return found->second;
  MPI_Group ranks{};
  real::Win_get_group(window, &ranks);
  Group group;
  group.world = std::make_shared<const std::vector<int>>(world_ranks(ranks));
  group.size = group.peers = static_cast<int>(group.world->size());
  return windows_[handle] = std::move(group);
}

void Communicators::made(MPI_Comm comm, Function by, const MPI_Comm* like) {
  if (comm == handles().no_comm) return;
  Group group = like != nullptr ? of(*like) : query(comm);
  group.neighbours = -1;
  add(handle_of(comm), std::move(group), static_cast<std::uint32_t>(by), 0);
}

void Communicators::window_made(MPI_Win window, MPI_Comm comm) {
  windows_[handle_of(window)] = of(comm);
}

void Communicators::forget(MPI_Comm comm) {
  last_ = nullptr;
  known_.erase(handle_of(comm));
}

void Communicators::forget_window(MPI_Win window) { windows_.erase(handle_of(window)); }

int Communicators::neighbours(MPI_Comm comm) {
  of(comm);
  Group& group = known_[handle_of(comm)];
  if (group.neighbours >= 0) return group.neighbours;
  int topology = MPI_UNDEFINED;
  real::Topo_test(comm, &topology);
  int number = 0;
  if (topology == MPI_CART) {
    real::Cartdim_get(comm, &number);
    number *= 2;
  } else if (topology == MPI_GRAPH) {
    real::Graph_neighbors_count(comm, group.rank, &number);
  } else if (topology == MPI_DIST_GRAPH) {
    int sources = 0;
    int weighted = 0;
    real::Dist_graph_neighbors_count(comm, &sources, &number, &weighted);
  }
  return group.neighbours = number;
}

}  // namespace hockney::profile
