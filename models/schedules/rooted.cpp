#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string>

#include "models/schedules/schedule.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

/// The part of `blocks` consecutive ranks from `first` on; ranks beyond the last have none.
Slots part(const ScheduleBuilder& builder, int first, int blocks) {
  const Slots all = whole(builder.workload());
  const Slots begin = ceiling_part(all, builder.ranks(), first);
  const Slots end = ceiling_part(all, builder.ranks(), first + blocks);
  return {.first = begin.first, .count = end.first - begin.first};
}

/// Down the in-order binomial tree, farthest child first; nothing is sent to ranks without a
/// part.
void scatter(ScheduleBuilder& builder) {
  const Tree tree = in_order_binomial_tree(builder.ranks());
  const std::vector<int> sizes = subtree_sizes(tree);
  for (int rank = 0; rank < builder.ranks(); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    const Slots mine = part(builder, rank, sizes[place]);
    if (rank > 0 && mine.count > 0) builder.receive_now(rank, tree.parent[place], mine);
    const auto& children = tree.children[place];
    for (const int child : std::views::reverse(children)) {
      const Slots theirs = part(builder, child, sizes[static_cast<std::size_t>(child)]);
      if (theirs.count > 0) builder.send_now(rank, child, theirs);
    }
  }
}

/// In a block of 2 `distance`, ranks with a partner send to the ranks of their half without one, by
/// halving distances.
void notify_the_partnerless(ScheduleBuilder& builder, int begin, int distance) {
  const int informed = builder.ranks() - begin - distance;  // of the lower half
  if (informed <= 0 || informed >= distance) return;
  const Slots upper = part(builder, begin + distance, distance);
  for (int half = distance / 2; half >= 1; half /= 2) {
    for (int rank = begin; rank < begin + distance; ++rank) {
      const int known = rank / (2 * half) * 2 * half + informed;
      const bool sends = (rank & half) == 0 && rank < known && (rank | half) >= known;
      if (sends) builder.message(rank, rank | half, upper);
    }
  }
}

void gather_by_doubling(ScheduleBuilder& builder) {
  const int ranks = builder.ranks();
  for (int distance = 1; distance < ranks; distance *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int partner = rank ^ distance;
      if (partner >= ranks) continue;
      builder.receive(rank, partner, part(builder, partner / distance * distance, distance));
      builder.send(rank, partner, part(builder, rank / distance * distance, distance));
      builder.wait(rank);
    }
    for (int begin = 0; begin < ranks; begin += 2 * distance) {
      notify_the_partnerless(builder, begin, distance);
    }
  }
}

/// A binomial scatter, then an allgather by recursive doubling or in a ring.
Schedule bcast_scatter_allgather(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  scatter(builder);
  gather_by_doubling(builder);
  return builder.finish();
}

Schedule bcast_scatter_ring(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  scatter(builder);
  const int ranks = workload.ranks;
  for (int round = 1; round < ranks; ++round) {
    for (int rank = 0; rank < ranks; ++rank) {
      builder.receive(rank, (rank - 1 + ranks) % ranks,
                      part(builder, (rank - round + ranks) % ranks, 1));
      builder.send(rank, (rank + 1) % ranks, part(builder, (rank - round + 1 + ranks) % ranks, 1));
      builder.wait(rank);
    }
  }
  return builder.finish();
}

using Halves = std::array<Slots, 2>;

Halves halves_of(const Workload& workload) {
  const Slots all = whole(workload);
  return {even_part(all, 2, 0), even_part(all, 2, 1)};
}

/// Which half comes down the tree to a rank: the root's first child has the odd ranks below it.
std::size_t half_of(int rank) { return rank % 2 == 1 ? 0 : 1; }

std::vector<Slots> segments_of_half(const Workload& workload, const Slots& half) {
  const std::int64_t wanted = workload.segment.value / workload.element_bytes;
  if (wanted < 1 || wanted >= half.count) return {half};
  std::vector<Slots> segments;
  for (std::int64_t done = 0; done < half.count; done += wanted) {
    segments.push_back({.first = half.first + done, .count = std::min(wanted, half.count - done)});
  }
  return segments;
}

/// The root sends a segment of each half in turn.
void send_from_root(ScheduleBuilder& builder, const std::vector<int>& children,
                    const std::array<std::vector<Slots>, 2>& segments) {
  const std::size_t most = std::max(segments[0].size(), segments[1].size());
  for (std::size_t k = 0; k < most; ++k) {
    for (const int child : children) {
      const auto& mine = segments[half_of(child)];
      if (k < mine.size()) builder.send_now(0, child, mine[k]);
    }
  }
}

/// A rank sends one segment on while it receives the next.
void pass_on(ScheduleBuilder& builder, const Tree& tree, int rank,
             const std::vector<Slots>& segments) {
  const auto place = static_cast<std::size_t>(rank);
  const int parent = tree.parent[place];
  builder.receive_now(rank, parent, segments.front());
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (k + 1 < segments.size()) builder.receive(rank, parent, segments[k + 1]);
    for (const int child : tree.children[place]) builder.send(rank, child, segments[k]);
    builder.wait(rank);
  }
}

/// Neighbours have different halves. Where the last rank has no neighbour, the root gives it what
/// it lacks.
void exchange_halves(ScheduleBuilder& builder, const Halves& halves) {
  const int ranks = builder.ranks();
  for (int odd = 1; odd + 1 < ranks; odd += 2) {
    for (const int rank : {odd, odd + 1}) {
      const int other = rank == odd ? odd + 1 : odd;
      builder.receive(rank, other, halves[half_of(other)]);
      builder.send(rank, other, halves[half_of(rank)]);
      builder.wait(rank);
    }
  }
  if (ranks > 1 && ranks % 2 == 0) builder.message(0, ranks - 1, halves[1]);
}

/// Sends one half of the vector down each half of the binary tree. Then each rank exchanges halves
/// with its counterpart in the other half of the tree (Open MPI's split_binary_tree).
Schedule bcast_split_binary_tree(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  const Tree tree = binary_tree(workload.ranks);
  const Halves halves = halves_of(workload);
  const std::array segments{segments_of_half(workload, halves[0]),
                            segments_of_half(workload, halves[1])};
  send_from_root(builder, tree.children.front(), segments);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    pass_on(builder, tree, rank, segments[half_of(rank)]);
  }
  exchange_halves(builder, halves);
  return builder.finish();
}

/// Reason why the pipeline runs in its place: the vector has no two halves, or a half is not longer
/// than a segment.
std::optional<std::string> no_halves(const Workload& workload) {
  const std::int64_t smaller = whole(workload).count / 2;
  if (smaller == 0) return "the vector has no two halves";
  if (workload.segment.value > smaller * workload.element_bytes) {
    return "half of the vector is shorter than a segment";
  }
  return std::nullopt;
}

constexpr int usual_chains = 4;  // coll_tuned_bcast_algorithm_chain_fanout
constexpr int usual_radix = 4;   // coll_tuned_bcast_algorithm_knomial_radix

Schedule down(const Workload& workload, const Tree& tree) {
  ScheduleBuilder builder = draw_vector(workload);
  broadcast(builder, tree, segments_of(workload));
  return builder.finish();
}

int chosen(int fanout, int usual) { return fanout > 0 ? fanout : usual; }

Schedule linear_bcast(const Workload& workload) {
  Workload at_once = workload;
  at_once.segment = {};
  return down(at_once, flat_tree(workload.ranks));
}

Schedule linear_in_turn(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  broadcast_in_turn(builder, flat_tree(workload.ranks), whole(workload));
  return builder.finish();
}

Schedule chain(const Workload& workload) {
  return down(workload, chain_tree(workload.ranks, chosen(workload.fanout, usual_chains)));
}

Schedule pipeline(const Workload& workload) {
  return down(workload, chain_tree(workload.ranks, 1));
}

Schedule binary(const Workload& workload) { return down(workload, binary_tree(workload.ranks)); }

Schedule binomial_bcast(const Workload& workload) {
  return down(workload, binomial_tree(workload.ranks));
}

Schedule in_order_binomial(const Workload& workload) {
  ScheduleBuilder builder = draw_vector(workload);
  broadcast_in_turn(builder, in_order_binomial_tree(workload.ranks), whole(workload));
  return builder.finish();
}

Schedule knomial(const Workload& workload) {
  return down(workload, knomial_tree(workload.ranks, chosen(workload.fanout, usual_radix)));
}

// Blocks count from the root on, as ranks do.

Schedule linear_gather(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    builder.message(rank, 0, {.first = rank, .count = 1});
  }
  return builder.finish();
}

Schedule binomial_gather(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const Tree tree = in_order_binomial_tree(workload.ranks);
  const std::vector<int> sizes = subtree_sizes(tree);
  for (int rank = 0; rank < workload.ranks; ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    for (const int child : tree.children[place]) {
      builder.receive_now(rank, child,
                          {.first = child, .count = sizes[static_cast<std::size_t>(child)]});
    }
    if (rank == 0) continue;
    builder.send_now(rank, tree.parent[place], {.first = rank, .count = sizes[place]});
  }
  return builder.finish();
}

/// The root signals each rank when to send its block. If blocks are segmented, the rest of the
/// block is a second message.
Schedule linear_sync(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const Slots nothing{.first = 0, .count = 0};
  for (int rank = 1; rank < workload.ranks; ++rank) {
    const Slots block{.first = rank, .count = 1};
    builder.send_now(0, rank, nothing);
    builder.receive_now(rank, 0, nothing);
    for (const Slots& part : {block, nothing}) {
      builder.send_now(rank, 0, part);
      builder.receive(0, rank, part);
    }
    builder.wait(0);
  }
  return builder.finish();
}

// Blocks count from the root on, as ranks do.

Schedule linear_scatter(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    builder.message(0, rank, {.first = rank, .count = 1});
  }
  return builder.finish();
}

Schedule linear_at_once(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    builder.send(0, rank, {.first = rank, .count = 1});
    if (workload.fanout > 0 && rank % workload.fanout == 0) builder.wait(0);
    builder.receive_now(rank, 0, {.first = rank, .count = 1});
  }
  builder.wait(0);
  return builder.finish();
}

/// Farthest child first: it has the largest subtree.
Schedule binomial_scatter(const Workload& workload) {
  ScheduleBuilder builder = draw_blocks(workload);
  const Tree tree = in_order_binomial_tree(workload.ranks);
  const std::vector<int> sizes = subtree_sizes(tree);
  for (int rank = 0; rank < workload.ranks; ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    if (rank > 0) {
      builder.receive_now(rank, tree.parent[place], {.first = rank, .count = sizes[place]});
    }
    const auto& children = tree.children[place];
    for (const int child : std::views::reverse(children)) {
      builder.send_now(rank, child,
                       {.first = child, .count = sizes[static_cast<std::size_t>(child)]});
    }
  }
  return builder.finish();
}

}  // namespace

Family bcast_family() {
  return {{"basic_linear", {"linear", "flattree"}, linear_bcast},
          {"linear_in_turn", {}, linear_in_turn, nullptr, "", false},
          {"chain", {}, chain},
          {"pipeline", {"ompi_pipeline"}, pipeline},
          {"split_binary_tree", {}, bcast_split_binary_tree, no_halves},
          {"binary_tree", {"binary"}, binary},
          {"binomial", {"bmtree"}, binomial_bcast},
          {"in-order_binomial", {"binomial_tree"}, in_order_binomial, nullptr, "", false},
          {"knomial", {}, knomial},
          {"scatter_allgather",
           {"scatter_rdb_allgather", "scatter_recursive_doubling_allgather"},
           bcast_scatter_allgather,
           fewer_elements_than_ranks},
          {"scatter_allgather_ring",
           {"scatter_LR_allgather", "scatter_ring_allgather"},
           bcast_scatter_ring,
           fewer_elements_than_ranks}};
}

Family gather_family() {
  return {{"basic_linear", {"linear", "ompi_basic_linear"}, linear_gather},
          {"binomial", {"ompi_binomial"}, binomial_gather},
          {"linear_sync", {"ompi_linear_sync"}, linear_sync}};
}

Family scatter_family() {
  return {{"basic_linear", {"linear", "ompi_basic_linear"}, linear_scatter},
          {"binomial", {"ompi_binomial"}, binomial_scatter},
          {"linear_nb", {}, linear_at_once}};
}

}  // namespace hockney::schedules
