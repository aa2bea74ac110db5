#include "algorithms/bcast_scatter.hpp"
#include "algorithms/bcast_split.hpp"
#include "algorithms/division.hpp"
#include "algorithms/family.hpp"
#include "algorithms/tree_moves.hpp"
#include "algorithms/unfitness.hpp"

namespace hockney {
namespace {

constexpr int usual_chains = 4;  // coll_tuned_bcast_algorithm_chain_fanout
constexpr int usual_radix = 4;   // coll_tuned_bcast_algorithm_knomial_radix

Schedule down(const Workload& workload, const Tree& tree) {
  Drawing drawing = draw_vector(workload);
  broadcast(drawing, tree, segments_of(workload));
  return drawing.finish();
}

int chosen(int fanout, int usual) { return fanout > 0 ? fanout : usual; }

Schedule linear(const Workload& workload) {
  Workload at_once = workload;
  at_once.segment = {};
  return down(at_once, flat_tree(workload.ranks));
}

Schedule linear_in_turn(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  broadcast_in_turn(drawing, flat_tree(workload.ranks), whole(workload));
  return drawing.finish();
}

Schedule chain(const Workload& workload) {
  return down(workload, chain_tree(workload.ranks, chosen(workload.fanout, usual_chains)));
}

Schedule pipeline(const Workload& workload) {
  return down(workload, chain_tree(workload.ranks, 1));
}

Schedule binary(const Workload& workload) { return down(workload, binary_tree(workload.ranks)); }

Schedule binomial(const Workload& workload) {
  return down(workload, binomial_tree(workload.ranks));
}

Schedule in_order_binomial(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  broadcast_in_turn(drawing, in_order_binomial_tree(workload.ranks), whole(workload));
  return drawing.finish();
}

Schedule knomial(const Workload& workload) {
  return down(workload, knomial_tree(workload.ranks, chosen(workload.fanout, usual_radix)));
}

}  // namespace

Family bcast_family() {
  return {{"basic_linear", {"linear", "flattree"}, linear},
          {"linear_in_turn", {}, linear_in_turn},
          {"chain", {}, chain},
          {"pipeline", {"ompi_pipeline"}, pipeline},
          {"split_binary_tree", {}, bcast_split_binary_tree, no_halves},
          {"binary_tree", {"binary"}, binary},
          {"binomial", {"bmtree"}, binomial},
          {"in-order_binomial", {"binomial_tree"}, in_order_binomial},
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

}  // namespace hockney
