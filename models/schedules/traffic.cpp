#include "models/schedules/traffic.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

namespace hockney::schedules {

ScheduleBuilder::ScheduleBuilder(const Workload& workload, std::int64_t slots,
                                 std::int64_t slot_bytes)
    : workload_(workload), schedule_{.slots = slots, .slot_bytes = slot_bytes, .ranks = {}} {
  schedule_.ranks.resize(static_cast<std::size_t>(workload.ranks));
}

int ScheduleBuilder::world(int rank) const { return (rank + workload_.root) % workload_.ranks; }

std::int64_t ScheduleBuilder::bytes_of(const Slots& slots) const {
  return carried(slots) * schedule_.slot_bytes;
}

void ScheduleBuilder::send(int from, int to, const Slots& slots, Source source) {
  schedule_.ranks[static_cast<std::size_t>(world(from))].start({.direction = Direction::send,
                                                                .source = source,
                                                                .peer = world(to),
                                                                .bytes = bytes_of(slots),
                                                                .slots = slots});
}

void ScheduleBuilder::receive(int to, int from, const Slots& slots, Delivery delivery) {
  schedule_.ranks[static_cast<std::size_t>(world(to))].start({.direction = Direction::receive,
                                                              .delivery = delivery,
                                                              .peer = world(from),
                                                              .bytes = bytes_of(slots),
                                                              .slots = slots});
}

void ScheduleBuilder::wait(int rank) {
  schedule_.ranks[static_cast<std::size_t>(world(rank))].wait();
}

void ScheduleBuilder::send_now(int from, int to, const Slots& slots, Source source) {
  send(from, to, slots, source);
  wait(from);
}

void ScheduleBuilder::receive_now(int to, int from, const Slots& slots, Delivery delivery) {
  receive(to, from, slots, delivery);
  wait(to);
}

void ScheduleBuilder::message(int from, int to, const Slots& slots, Delivery delivery) {
  send_now(from, to, slots);
  receive_now(to, from, slots, delivery);
}

Schedule ScheduleBuilder::finish() { return std::move(schedule_); }

std::int64_t carried(const Slots& slots) {
  if (slots.run == 0) return slots.count;
  const std::int64_t whole = slots.count / slots.stride;
  return whole * slots.run + std::min(slots.run, slots.count % slots.stride);
}

ScheduleBuilder draw_vector(const Workload& workload) {
  return {workload, workload.bytes.value / workload.element_bytes, workload.element_bytes};
}

ScheduleBuilder draw_blocks(const Workload& workload) {
  return {workload, workload.ranks, workload.bytes.value};
}

Traffic traffic_of(const Schedule& schedule) {
  Traffic traffic;
  int rank = 0;
  for (const RankSchedule& steps : schedule.ranks) {
    for (const Transfer& transfer : steps.transfers()) {
      if (transfer.direction != Direction::send) continue;
      PeerTraffic& pair = traffic[{rank, transfer.peer}];
      ++pair.messages;
      pair.bytes += transfer.bytes;
    }
    ++rank;
  }
  return traffic;
}

namespace {

/// The tree of these parents; children in ascending order.
Tree tree_of(std::vector<int> parent) {
  Tree tree{std::move(parent), {}};
  tree.children.resize(tree.parent.size());
  for (std::size_t rank = 1; rank < tree.parent.size(); ++rank) {
    tree.children[static_cast<std::size_t>(tree.parent[rank])].push_back(static_cast<int>(rank));
  }
  return tree;
}

/// Joins the ranks `begin` to `end` (not included) below the last of them.
void join_in_order(Tree& tree, int begin, int end) {
  const int top = end - 1;
  const int middle = begin + (end - begin) / 2;
  for (const auto& [from, to] : {std::pair(middle, top), std::pair(begin, middle)}) {
    if (from == to) continue;
    tree.parent[static_cast<std::size_t>(to - 1)] = top;
    tree.children[static_cast<std::size_t>(top)].push_back(to - 1);
    join_in_order(tree, from, to);
  }
}

std::vector<int> orphans(int ranks) {
  std::vector<int> parents(static_cast<std::size_t>(ranks), -1);
  return parents;
}

const std::vector<int>& children_of(const Tree& tree, int rank) {
  return tree.children[static_cast<std::size_t>(rank)];
}

int parent_of(const Tree& tree, int rank) { return tree.parent[static_cast<std::size_t>(rank)]; }

/// One rank of combine_up.
void combine_at(ScheduleBuilder& builder, const Tree& tree, const std::vector<Slots>& segments,
                int rank) {
  const auto& children = children_of(tree, rank);
  const int parent = parent_of(tree, rank);
  for (std::size_t k = 0; k < segments.size(); ++k) {
    for (const int child : children) {
      builder.receive(rank, child, segments[k], Delivery::combine);
      // The segment before goes up while the first child's part of this one comes in.
      if (child == children.front() && k > 0 && parent >= 0) {
        builder.send(rank, parent, segments[k - 1]);
      }
      builder.wait(rank);
    }
    const bool goes_now = children.empty() || k + 1 == segments.size();
    if (parent >= 0 && goes_now) builder.send_now(rank, parent, segments[k]);
  }
}

}  // namespace

Tree flat_tree(int ranks) {
  std::vector<int> parent(static_cast<std::size_t>(ranks), 0);
  parent[0] = -1;
  return tree_of(std::move(parent));
}

Tree binomial_tree(int ranks) {
  std::vector<int> parent = orphans(ranks);
  int highest = 1;
  for (int rank = 1; rank < ranks; ++rank) {
    if (rank >= 2 * highest) highest *= 2;
    parent[static_cast<std::size_t>(rank)] = rank - highest;
  }
  return tree_of(std::move(parent));
}

Tree in_order_binomial_tree(int ranks) {
  std::vector<int> parent = orphans(ranks);
  for (int rank = 1; rank < ranks; ++rank) {
    int lowest = 1;
    while (rank / lowest % 2 == 0) lowest *= 2;
    parent[static_cast<std::size_t>(rank)] = rank - lowest;
  }
  return tree_of(std::move(parent));
}

Tree chain_tree(int ranks, int chains) {
  std::vector<int> parent = orphans(ranks);
  const int members = ranks - 1;
  int rank = 1;
  for (int chain = 0; chain < chains && rank < ranks; ++chain) {
    const int length = members / chains + (chain < members % chains ? 1 : 0);
    for (int link = 0; link < length; ++link, ++rank) {
      parent[static_cast<std::size_t>(rank)] = link == 0 ? 0 : rank - 1;
    }
  }
  return tree_of(std::move(parent));
}

Tree binary_tree(int ranks) {
  std::vector<int> parent = orphans(ranks);
  int level_size = 1;   // of the parents' level
  int level_begin = 0;  // of the parents' level
  while (level_begin < ranks) {
    for (int rank = level_begin; rank < level_begin + level_size && rank < ranks; ++rank) {
      for (const int child : {rank + level_size, rank + 2 * level_size}) {
        if (child < ranks) parent[static_cast<std::size_t>(child)] = rank;
      }
    }
    level_begin += level_size;
    level_size *= 2;
  }
  return tree_of(std::move(parent));
}

Tree in_order_binary_tree(int ranks) {
  Tree tree{orphans(ranks), {}};
  tree.children.resize(tree.parent.size());
  join_in_order(tree, 0, ranks);
  return tree;
}

Tree knomial_tree(int ranks, int radix) {
  std::vector<int> parent = orphans(ranks);
  for (int rank = 1; rank < ranks; ++rank) {
    int place = 1;
    while (rank / place % radix == 0) place *= radix;
    parent[static_cast<std::size_t>(rank)] = rank - rank / place % radix * place;
  }
  Tree tree{parent, {}};
  tree.children.resize(parent.size());
  int farthest = 1;
  while (farthest < ranks) farthest *= radix;
  for (int place = farthest; place >= 1; place /= radix) {
    for (int rank = 1; rank < ranks; ++rank) {
      const bool of_place = rank % place == 0 && rank / place % radix != 0;
      if (!of_place) continue;
      const int above = parent[static_cast<std::size_t>(rank)];
      tree.children[static_cast<std::size_t>(above)].push_back(rank);
    }
  }
  return tree;
}

void broadcast(ScheduleBuilder& builder, const Tree& tree, const std::vector<Slots>& segments) {
  for (int rank = 0; rank < builder.ranks(); ++rank) {
    const int parent = parent_of(tree, rank);
    if (rank > 0) builder.receive_now(rank, parent, segments.front());
    for (std::size_t k = 0; k < segments.size(); ++k) {
      if (rank > 0 && k + 1 < segments.size()) builder.receive(rank, parent, segments[k + 1]);
      for (const int child : children_of(tree, rank)) builder.send(rank, child, segments[k]);
      builder.wait(rank);
    }
  }
}

void broadcast_in_turn(ScheduleBuilder& builder, const Tree& tree, const Slots& slots) {
  for (int rank = 0; rank < builder.ranks(); ++rank) {
    if (rank > 0) builder.receive_now(rank, parent_of(tree, rank), slots);
    for (const int child : children_of(tree, rank) | std::views::reverse) {
      builder.send_now(rank, child, slots);
    }
  }
}

void combine_up(ScheduleBuilder& builder, const Tree& tree, const std::vector<Slots>& segments) {
  for (int rank = 0; rank < builder.ranks(); ++rank) combine_at(builder, tree, segments, rank);
}

std::vector<int> subtree_sizes(const Tree& tree) {
  std::vector<int> sizes(tree.parent.size(), 1);
  for (std::size_t rank = sizes.size() - 1; rank > 0; --rank) {
    sizes[static_cast<std::size_t>(tree.parent[rank])] += sizes[rank];
  }
  return sizes;
}

}  // namespace hockney::schedules
