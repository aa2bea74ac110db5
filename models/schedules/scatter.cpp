#include <ranges>

#include "models/schedules/family.hpp"
#include "models/schedules/traffic.hpp"
#include "models/schedules/tree.hpp"

namespace hockney::schedules {
namespace {

// Blocks count from the root on, as ranks do.

Schedule linear_scatter(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    drawing.message(0, rank, {.first = rank, .count = 1});
  }
  return drawing.finish();
}

Schedule linear_at_once(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    drawing.send(0, rank, {.first = rank, .count = 1});
    if (workload.fanout > 0 && rank % workload.fanout == 0) drawing.wait(0);
    drawing.receive_now(rank, 0, {.first = rank, .count = 1});
  }
  drawing.wait(0);
  return drawing.finish();
}

/// Farthest child first: it has the largest subtree.
Schedule binomial_scatter(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const Tree tree = in_order_binomial_tree(workload.ranks);
  const std::vector<int> sizes = subtree_sizes(tree);
  for (int rank = 0; rank < workload.ranks; ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    if (rank > 0) {
      drawing.receive_now(rank, tree.parent[place], {.first = rank, .count = sizes[place]});
    }
    const auto& children = tree.children[place];
    for (const int child : std::views::reverse(children)) {
      drawing.send_now(rank, child,
                       {.first = child, .count = sizes[static_cast<std::size_t>(child)]});
    }
  }
  return drawing.finish();
}

}  // namespace

Family scatter_family() {
  return {{"basic_linear", {"linear", "ompi_basic_linear"}, linear_scatter},
          {"binomial", {"ompi_binomial"}, binomial_scatter},
          {"linear_nb", {}, linear_at_once}};
}

}  // namespace hockney::schedules
