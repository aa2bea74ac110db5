#include "models/schedules/family.hpp"
#include "models/schedules/traffic.hpp"
#include "models/schedules/tree.hpp"

namespace hockney::schedules {
namespace {

// Blocks count from the root on, as ranks do.

Schedule linear_gather(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    drawing.message(rank, 0, {.first = rank, .count = 1});
  }
  return drawing.finish();
}

Schedule binomial_gather(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const Tree tree = in_order_binomial_tree(workload.ranks);
  const std::vector<int> sizes = subtree_sizes(tree);
  for (int rank = 0; rank < workload.ranks; ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    for (const int child : tree.children[place]) {
      drawing.receive_now(rank, child,
                          {.first = child, .count = sizes[static_cast<std::size_t>(child)]});
    }
    if (rank == 0) continue;
    drawing.send_now(rank, tree.parent[place], {.first = rank, .count = sizes[place]});
  }
  return drawing.finish();
}

/// The root tells each rank when to send its block; the rest of it, of which there is none where
/// blocks are not segmented, goes as a second message.
Schedule linear_sync(const Workload& workload) {
  Drawing drawing = draw_blocks(workload);
  const Slots nothing{.first = 0, .count = 0};
  for (int rank = 1; rank < workload.ranks; ++rank) {
    const Slots block{.first = rank, .count = 1};
    drawing.send_now(0, rank, nothing);
    drawing.receive_now(rank, 0, nothing);
    for (const Slots& part : {block, nothing}) {
      drawing.send_now(rank, 0, part);
      drawing.receive(0, rank, part);
    }
    drawing.wait(0);
  }
  return drawing.finish();
}

}  // namespace

Family gather_family() {
  return {{"basic_linear", {"linear", "ompi_basic_linear"}, linear_gather},
          {"binomial", {"ompi_binomial"}, binomial_gather},
          {"linear_sync", {"ompi_linear_sync"}, linear_sync}};
}

}  // namespace hockney::schedules
