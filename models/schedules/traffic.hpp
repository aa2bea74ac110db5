#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/schedules/schedule.hpp"

namespace hockney::schedules {

/// A schedule under way. Ranks are counted from the root on, so that the root is 0.
class ScheduleBuilder {
 public:
  /// `slots` of `slot_bytes` for every rank.
  ScheduleBuilder(const Workload& workload, std::int64_t slots, std::int64_t slot_bytes);

  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] int ranks() const { return workload_.ranks; }

  /// Adds to the step of rank `from` or `to` that is under way.
  void send(int from, int to, const Slots& slots, Source source = Source::working);
  void receive(int to, int from, const Slots& slots, Delivery delivery = Delivery::replace);
  void wait(int rank);

  /// The same as separate steps.
  void send_now(int from, int to, const Slots& slots, Source source = Source::working);
  void receive_now(int to, int from, const Slots& slots, Delivery delivery = Delivery::replace);

  /// A message by blocking calls on both sides.
  void message(int from, int to, const Slots& slots, Delivery delivery = Delivery::replace);

  Schedule finish();

 private:
  [[nodiscard]] int world(int rank) const;
  [[nodiscard]] std::int64_t bytes_of(const Slots& slots) const;

  Workload workload_;
  Schedule schedule_;
};

/// Number of slots in a strided range.
std::int64_t carried(const Slots& slots);

/// A vector of elements: as many slots as the workload's bytes have elements.
ScheduleBuilder draw_vector(const Workload& workload);

/// A block for every rank: as many slots as ranks.
ScheduleBuilder draw_blocks(const Workload& workload);

/// The messages of one rank to another in one collective.
struct PeerTraffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;  ///< [B]

  friend bool operator==(const PeerTraffic&, const PeerTraffic&) = default;
};

/// By sender and receiver; pairs without messages are left out.
using Traffic = std::map<std::pair<int, int>, PeerTraffic>;

Traffic traffic_of(const Schedule& schedule);

/// The tree of senders and receivers; rank 0 is the root unless stated otherwise. Children are in
/// the order in which they are served.
struct Tree {
  std::vector<int> parent;  ///< -1 for the root
  std::vector<std::vector<int>> children;
};

Tree flat_tree(int ranks);

/// The parent of a rank lacks its highest bit; nearest child first (Open MPI's bcast).
Tree binomial_tree(int ranks);

/// The parent lacks the lowest bit, so that subtrees are consecutive ranks; nearest child first.
Tree in_order_binomial_tree(int ranks);

/// Chains of equal length, or one rank less, that begin at the root.
Tree chain_tree(int ranks, int chains);

/// Two children at the most, level by level (Open MPI's numbering).
Tree binary_tree(int ranks);

/// Every rank comes after all ranks below it; the last rank is at the top. The upper half of the
/// others is below its first child, the lower half below its second (Open MPI's reduce that keeps
/// the order).
Tree in_order_binary_tree(int ranks);

/// The binomial tree to another base than two; farthest child first.
Tree knomial_tree(int ranks, int radix);

/// Down the tree, segment by segment: a rank sends one segment to all its children while it
/// receives the next.
void broadcast(ScheduleBuilder& builder, const Tree& tree, const std::vector<Slots>& segments);

/// Down the tree at once, to one child after the other, last child first.
void broadcast_in_turn(ScheduleBuilder& builder, const Tree& tree, const Slots& slots);

/// Up the tree, segment by segment. A rank combines the segments of its children, one after the
/// other. It sends one segment up while it receives the next from its first child.
void combine_up(ScheduleBuilder& builder, const Tree& tree, const std::vector<Slots>& segments);

/// How many ranks each subtree of in_order_binomial_tree has.
std::vector<int> subtree_sizes(const Tree& tree);

}  // namespace hockney::schedules
