#include "models/collectives/forms.hpp"

namespace hockney::collectives {

using schedules::Workload;
namespace {

using forms::all_but_one_part;
using forms::bytes;
using forms::combined;
using forms::fanout;
using forms::folds;
using forms::message;
using forms::power;
using forms::ranks;
using forms::rounds;
using forms::segment;
using forms::segments;

constexpr int usual_fanout = 4;  // of Open MPI's chains and of its k-nomial tree

Costs at_once(const Workload& w) { return {1, (ranks(w) - 1) * bytes(w), 0}; }
Costs in_turn(const Workload& w) { return (ranks(w) - 1) * message(bytes(w)); }
Costs binomial(const Workload& w) { return rounds(w.ranks) * message(bytes(w)); }

/// A rank with k children shares its port among them, and the last to be told has one child fewer.
Costs binomial_at_once(const Workload& w) {
  const double levels = rounds(w.ranks);
  return {levels, levels * (levels + 1) / 2 * bytes(w), 0};
}

Costs tree_bytes(const Workload& w, double depth, double children) {
  return (depth + segments(w) - 1) * Costs{1, children * segment(w), 0};
}

Costs pipeline(const Workload& w) { return tree_bytes(w, ranks(w) - 1, 1); }

double chain_length(const Workload& w) {
  const int chains = fanout(w, usual_fanout);
  const int longest = (w.ranks - 1 + chains - 1) / chains;
  return longest;
}

Costs chain(const Workload& w) {
  const int heads = std::min(fanout(w, usual_fanout), std::max(w.ranks - 1, 1));
  return tree_bytes(w, chain_length(w), heads);
}

double binary_depth(const Workload& w) { return rounds(w.ranks + 1) - 1; }

Costs binary(const Workload& w) { return tree_bytes(w, binary_depth(w), 2); }

Costs knomial(const Workload& w) {
  const int radix = fanout(w, usual_fanout);
  return rounds(w.ranks, radix) * Costs{1, (radix - 1) * bytes(w), 0};
}

Costs scatter_ring(const Workload& w) {
  return {rounds(w.ranks) + ranks(w) - 1, 2 * all_but_one_part(bytes(w), w.ranks), 0};
}

Costs scatter_allgather(const Workload& w) {
  return {2.0 * rounds(w.ranks), 2 * all_but_one_part(bytes(w), w.ranks), 0};
}

Costs reduce_linear(const Workload& w) { return (ranks(w) - 1) * combined(bytes(w)); }
Costs reduce_binomial(const Workload& w) { return rounds(w.ranks) * combined(bytes(w)); }

Costs reduce_pipeline(const Workload& w) {
  return (ranks(w) + segments(w) - 2) * combined(segment(w));
}

Costs reduce_chain(const Workload& w) {
  const int heads = std::min(fanout(w, usual_fanout), std::max(w.ranks - 1, 0));
  return (std::max(chain_length(w) - 1, 0.0) + heads * segments(w)) * combined(segment(w));
}

Costs reduce_binary(const Workload& w) {
  return 2 * (binary_depth(w) + segments(w) - 1) * combined(segment(w));
}

Costs reduce_rabenseifner(const Workload& w) {
  const double part = all_but_one_part(bytes(w), power(w));
  const Costs halving{2.0 * rounds(power(w)), 2 * part, part};
  return halving + folds(w) * Costs{2, bytes(w), bytes(w) / 2};
}

Costs gather_binomial(const Workload& w) {
  return {static_cast<double>(rounds(w.ranks)), (ranks(w) - 1) * bytes(w), 0};
}

/// The root serves its k-th child after all smaller subtrees, and that child begins anew.
Costs scatter_near_first(const Workload& w) {
  Costs costs;
  for (int children = rounds(w.ranks); children > 0; --children) {
    const double passed = (1 << children) - 1;
    costs = costs + Costs{static_cast<double>(children), passed * bytes(w), 0};
  }
  return costs;
}

}  // namespace

FormFamily bcast_forms() {
  return {{"basic_linear",
           {{"closed", "a+(p-1)bn", at_once}, {"closed, one by one", "(p-1)h(n)", in_turn}}},
          {"linear_in_turn", {{"closed", "(p-1)h(n)", in_turn}}},
          {"chain", {{"closed", "(ceil((p-1)/K)+s-1)(a+Kbm)", chain}}},
          {"pipeline", {{"closed", "(p-1+s-1)h(m)", pipeline}}},
          {"binary_tree", {{"closed", "(ceil(log2(p+1))-1+s-1)(a+2bm)", binary}}},
          {"binomial",
           {{"closed", "L h(n)", binomial},
            {"closed, sends at once", "La+L(L+1)/2 bn", binomial_at_once}}},
          {"in-order_binomial", {{"closed", "L h(n)", binomial}}},
          {"knomial", {{"closed", "ceil(log_k p)(a+(k-1)bn)", knomial}}},
          {"scatter_allgather", {{"closed", "2La+2bn(p-1)/p", scatter_allgather}}},
          {"scatter_allgather_ring", {{"closed", "(L+p-1)a+2bn(p-1)/p", scatter_ring}}}};
}

FormFamily reduce_forms() {
  return {{"linear", {{"closed", "(p-1)(h(n)+gn)", reduce_linear}}},
          {"chain", {{"closed", "(ceil((p-1)/K)-1+Ks)(h(m)+gm)", reduce_chain}}},
          {"pipeline", {{"closed", "(p-1+s-1)(h(m)+gm)", reduce_pipeline}}},
          {"binary", {{"closed", "2(ceil(log2(p+1))-1+s-1)(h(m)+gm)", reduce_binary}}},
          {"binomial", {{"closed", "L(h(n)+gn)", reduce_binomial}}},
          {"rabenseifner",
           {{"closed", "2La+2bn(p-1)/p+gn(p-1)/p (+fold 2a+bn+gn/2)", reduce_rabenseifner}}}};
}

FormFamily gather_forms() {
  return {
      {"basic_linear", {{"closed", "(p-1)h(n)", in_turn}, {"closed, eager", "a+(p-1)bn", at_once}}},
      {"binomial", {{"closed", "La+(p-1)bn", gather_binomial}}}};
}

FormFamily scatter_forms() {
  return {
      {"basic_linear", {{"closed", "(p-1)h(n)", in_turn}, {"closed, eager", "a+(p-1)bn", at_once}}},
      {"binomial",
       {{"closed", "La+(p-1)bn", gather_binomial},
        {"closed, nearest child first", "L(L+1)/2 a+(2p-2-L)bn", scatter_near_first}}},
      {"linear_nb", {{"closed", "a+(p-1)bn", at_once}}}};
}

}  // namespace hockney::collectives
