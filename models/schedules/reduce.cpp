#include "models/schedules/common_steps.hpp"
#include "models/schedules/family.hpp"
#include "models/schedules/scattered_reduction.hpp"
#include "models/schedules/tree.hpp"

namespace hockney::schedules {
namespace {

constexpr int usual_chains = 4;  // coll_tuned_reduce_algorithm_chain_fanout

Schedule up(const Workload& workload, const Tree& tree) {
  Drawing drawing = draw_vector(workload);
  combine_up(drawing, tree, segments_of(workload));
  return drawing.finish();
}

Schedule linear_reduce(const Workload& workload) {
  Workload at_once = workload;
  at_once.segment = {};
  return up(at_once, flat_tree(workload.ranks));
}

Schedule chain(const Workload& workload) {
  const int chains = workload.fanout > 0 ? workload.fanout : usual_chains;
  return up(workload, chain_tree(workload.ranks, chains));
}

Schedule pipeline(const Workload& workload) { return up(workload, chain_tree(workload.ranks, 1)); }

Schedule binary(const Workload& workload) { return up(workload, binary_tree(workload.ranks)); }

Schedule binomial_reduce(const Workload& workload) {
  return up(workload, in_order_binomial_tree(workload.ranks));
}

/// The tree of ranks as they are, whatever the root; the last rank, on top of it, tells the root.
Schedule in_order_binary(const Workload& workload) {
  Workload in_order = workload;
  in_order.root = 0;
  Drawing drawing = draw_vector(in_order);
  combine_up(drawing, in_order_binary_tree(workload.ranks), segments_of(workload));
  const int top = workload.ranks - 1;
  if (workload.root != top) drawing.message(top, workload.root, whole(workload));
  return drawing.finish();
}

}  // namespace

Family reduce_family() {
  return {{"linear", {"basic_linear", "flat_tree"}, linear_reduce},
          {"chain", {}, chain},
          {"pipeline", {"ompi_pipeline"}, pipeline},
          {"binary", {"ompi_binary"}, binary},
          {"binomial", {}, binomial_reduce},
          {"in-order_binary", {"ompi_in_order_binary"}, in_order_binary},
          {"rabenseifner",
           {"rab", "reduce_scatter_gather", "scatter_gather"},
           reduce_rabenseifner,
           fewer_elements_than_power}};
}

}  // namespace hockney::schedules
