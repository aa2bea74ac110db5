#include "algorithms/bcast_split.hpp"

#include <algorithm>
#include <array>

#include "algorithms/division.hpp"
#include "algorithms/drawing.hpp"
#include "algorithms/tree.hpp"

namespace hockney {
namespace {

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
void send_from_root(Drawing& drawing, const std::vector<int>& children,
                    const std::array<std::vector<Slots>, 2>& segments) {
  const std::size_t most = std::max(segments[0].size(), segments[1].size());
  for (std::size_t k = 0; k < most; ++k) {
    for (const int child : children) {
      const auto& mine = segments[half_of(child)];
      if (k < mine.size()) drawing.send_now(0, child, mine[k]);
    }
  }
}

/// A rank sends one segment on while it receives the next.
void pass_on(Drawing& drawing, const Tree& tree, int rank, const std::vector<Slots>& segments) {
  const auto place = static_cast<std::size_t>(rank);
  const int parent = tree.parent[place];
  drawing.receive_now(rank, parent, segments.front());
  for (std::size_t k = 0; k < segments.size(); ++k) {
    if (k + 1 < segments.size()) drawing.receive(rank, parent, segments[k + 1]);
    for (const int child : tree.children[place]) drawing.send(rank, child, segments[k]);
    drawing.wait(rank);
  }
}

/// Neighbours have different halves. Where the last rank has no neighbour, the root gives it what
/// it lacks.
void exchange_halves(Drawing& drawing, const Halves& halves) {
  const int ranks = drawing.ranks();
  for (int odd = 1; odd + 1 < ranks; odd += 2) {
    for (const int rank : {odd, odd + 1}) {
      const int other = rank == odd ? odd + 1 : odd;
      drawing.receive(rank, other, halves[half_of(other)]);
      drawing.send(rank, other, halves[half_of(rank)]);
      drawing.wait(rank);
    }
  }
  if (ranks > 1 && ranks % 2 == 0) drawing.message(0, ranks - 1, halves[1]);
}

}  // namespace

Schedule bcast_split_binary_tree(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  const Tree tree = binary_tree(workload.ranks);
  const Halves halves = halves_of(workload);
  const std::array segments{segments_of_half(workload, halves[0]),
                            segments_of_half(workload, halves[1])};
  send_from_root(drawing, tree.children.front(), segments);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    pass_on(drawing, tree, rank, segments[half_of(rank)]);
  }
  exchange_halves(drawing, halves);
  return drawing.finish();
}

std::optional<std::string> no_halves(const Workload& workload) {
  const std::int64_t smaller = whole(workload).count / 2;
  if (smaller == 0) return "the vector has no two halves";
  if (workload.segment.value > smaller * workload.element_bytes) {
    return "half of the vector is shorter than a segment";
  }
  return std::nullopt;
}

}  // namespace hockney
