#include "models/collectives/forms.hpp"

#include <algorithm>
#include <cmath>

#include "core/whole_number.hpp"

namespace hockney::collectives {

using schedules::Workload;
namespace {

using forms::all_but_one_part;
using forms::bytes;
using forms::combined;
using forms::folds;
using forms::message;
using forms::power;
using forms::ranks;
using forms::rounds;

Costs news(double messages) { return {messages, 0, 0}; }

Costs barrier_linear(const Workload& w) { return news(w.ranks > 1 ? ranks(w) : 0); }
Costs barrier_rings(const Workload& w) { return news(w.ranks > 1 ? 2 * ranks(w) : 0); }
Costs barrier_bruck(const Workload& w) { return news(rounds(w.ranks)); }
Costs barrier_tree(const Workload& w) { return news(2.0 * rounds(w.ranks)); }
Costs barrier_doubling(const Workload& w) { return news(rounds(power(w)) + 2 * folds(w)); }

Costs doubling(const Workload& w) {
  return rounds(power(w)) * combined(bytes(w)) +
         folds(w) * (combined(bytes(w)) + message(bytes(w)));
}

Costs ring(const Workload& w) {
  const double part = all_but_one_part(bytes(w), w.ranks);
  return {2 * (ranks(w) - 1), 2 * part, part};
}

Costs segmented_ring(const Workload& w) {
  constexpr std::int64_t usual_segment = 1 << 20;
  const std::int64_t segment = w.segment.value > 0 ? w.segment.value : usual_segment;
  const auto block = whole_number<std::int64_t>(std::floor(bytes(w) / ranks(w)));
  const auto phases =
      static_cast<double>(std::max<std::int64_t>((block + segment - 1) / segment, 1));
  const double part = all_but_one_part(bytes(w), w.ranks);
  return {(phases + 1) * (ranks(w) - 1), 2 * part, part};
}

Costs rabenseifner(const Workload& w) {
  const double part = all_but_one_part(bytes(w), power(w));
  const Costs halving{2.0 * rounds(power(w)), 2 * part, part};
  return halving + folds(w) * Costs{3, 2 * bytes(w), bytes(w) / 2};
}

Costs reduce_then_bcast(const Workload& w) {
  return rounds(w.ranks) * (combined(bytes(w)) + message(bytes(w)));
}

Costs reduce_then_bcast_at_once(const Workload& w) {
  const double levels = rounds(w.ranks);
  return levels * combined(bytes(w)) + Costs{levels, levels * (levels + 1) / 2 * bytes(w), 0};
}

Costs reduce_linear_then_bcast(const Workload& w) {
  return (ranks(w) - 1) * combined(bytes(w)) + Costs{1, (ranks(w) - 1) * bytes(w), 0};
}

Costs all_rounds(const Workload& w) { return (ranks(w) - 1) * message(bytes(w)); }

Costs by_doubling(const Workload& w) {
  return {static_cast<double>(rounds(w.ranks)), (ranks(w) - 1) * bytes(w), 0};
}

Costs by_neighbors(const Workload& w) { return {ranks(w) / 2, (ranks(w) - 1) * bytes(w), 0}; }

Costs gather_then_bcast(const Workload& w) {
  return all_rounds(w) + Costs{1, (ranks(w) - 1) * ranks(w) * bytes(w), 0};
}

Costs all_at_once(const Workload& w) { return {1, (ranks(w) - 1) * bytes(w), 0}; }

/// Blocks whose distance has the bit, round by round.
Costs by_bits(const Workload& w) {
  Costs costs;
  for (int bit = 1; bit < w.ranks; bit *= 2) {
    int blocks = 0;
    for (int distance = 1; distance < w.ranks; ++distance) blocks += (distance & bit) != 0 ? 1 : 0;
    costs = costs + message(blocks * bytes(w));
  }
  return costs;
}

Costs scattered_ring(const Workload& w) { return (ranks(w) - 1) * combined(bytes(w) / ranks(w)); }

/// n bytes in all: fold with everything, halving, and the block of the rank that stood aside.
Costs halving_of(const Workload& w, double all) {
  const double part = all_but_one_part(all, power(w));
  return Costs{static_cast<double>(rounds(power(w))), part, part} +
         folds(w) * (combined(all) + message(all / ranks(w)));
}

Costs butterfly_of(const Workload& w, double all) {
  const double part = all_but_one_part(all, power(w));
  const double home = power(w) > 2 || folds(w) > 0 ? 1 : 0;
  return Costs{static_cast<double>(rounds(power(w))), part, part} + folds(w) * combined(all) +
         home * message((1 + folds(w)) * all / ranks(w));
}

Costs halving(const Workload& w) { return halving_of(w, bytes(w)); }
Costs butterfly(const Workload& w) { return butterfly_of(w, bytes(w)); }
Costs block_halving(const Workload& w) { return halving_of(w, ranks(w) * bytes(w)); }
Costs block_butterfly(const Workload& w) { return butterfly_of(w, ranks(w) * bytes(w)); }

Costs block_doubling(const Workload& w) {
  Costs costs;
  for (int distance = 1; distance < w.ranks; distance *= 2) {
    costs = costs + combined((w.ranks - distance) * bytes(w));
  }
  return costs;
}

Costs scan_linear(const Workload& w) { return (ranks(w) - 1) * combined(bytes(w)); }
Costs scan_doubling(const Workload& w) { return rounds(w.ranks) * combined(bytes(w)); }

}  // namespace

FormFamily barrier_forms() {
  return {{"linear", {{"closed", "p a", barrier_linear}}},
          {"double_ring", {{"closed", "2p a", barrier_rings}}},
          {"recursive_doubling", {{"closed", "log2(p') a (+fold 2a)", barrier_doubling}}},
          {"bruck", {{"closed", "L a", barrier_bruck}}},
          {"two_proc", {{"closed", "a", barrier_doubling}}},
          {"tree", {{"closed", "2L a", barrier_tree}}}};
}

FormFamily allreduce_forms() {
  return {
      {"basic_linear", {{"closed", "(p-1)(h(n)+gn)+a+(p-1)bn", reduce_linear_then_bcast}}},
      {"nonoverlapping",
       {{"closed", "L(h(n)+gn)+L h(n)", reduce_then_bcast},
        {"closed, sends at once", "L(h(n)+gn)+La+L(L+1)/2 bn", reduce_then_bcast_at_once}}},
      {"recursive_doubling", {{"closed", "log2(p')(h(n)+gn) (+fold 2h(n)+gn)", doubling}}},
      {"ring", {{"closed", "2(p-1)a+2bn(p-1)/p+gn(p-1)/p", ring}}},
      {"segmented_ring", {{"closed", "(s+1)(p-1)a+2bn(p-1)/p+gn(p-1)/p", segmented_ring}}},
      {"rabenseifner", {{"closed", "2La+2bn(p-1)/p+gn(p-1)/p (+fold 3a+2bn+gn/2)", rabenseifner}}}};
}

FormFamily allgather_forms() {
  return {{"linear", {{"closed", "(p-1)h(n)+a+(p-1)pbn", gather_then_bcast}}},
          {"bruck", {{"closed", "La+(p-1)bn", by_doubling}}},
          {"recursive_doubling", {{"closed", "La+(p-1)bn", by_doubling}}},
          {"ring", {{"closed", "(p-1)h(n)", all_rounds}}},
          {"neighbor", {{"closed", "p/2 a+(p-1)bn", by_neighbors}}},
          {"two_proc", {{"closed", "h(n)", all_rounds}}}};
}

FormFamily alltoall_forms() {
  return {{"linear", {{"closed", "a+(p-1)bn", all_at_once}}},
          {"pairwise", {{"closed", "(p-1)h(n)", all_rounds}}},
          {"modified_bruck", {{"closed", "L(a+bnp/2)", by_bits}}},
          {"linear_sync", {{"closed", "a+(p-1)bn", all_at_once}}},
          {"two_proc", {{"closed", "h(n)", all_rounds}}}};
}

FormFamily reduce_scatter_forms() {
  return {{"recursive_halving", {{"closed", "La+(b+g)n(p-1)/p (+fold)", halving}}},
          {"ring", {{"closed", "(p-1)(a+(b+g)n/p)", scattered_ring}}},
          {"butterfly", {{"closed", "(L+1)a+(b+g)n(p-1)/p+bn/p (+fold)", butterfly}}},
          {"pairwise", {{"closed", "(p-1)(a+(b+g)n/p)", scattered_ring}}}};
}

FormFamily reduce_scatter_block_forms() {
  return {{"recursive_doubling", {{"closed", "La+(b+g)n sum(p-2^i)", block_doubling}}},
          {"recursive_halving", {{"closed", "La+(p-1)(b+g)n (+fold)", block_halving}}},
          {"butterfly", {{"closed", "(L+1)a+(p-1)(b+g)n+bn (+fold)", block_butterfly}}}};
}

FormFamily scan_forms() {
  return {{"linear", {{"closed", "(p-1)(h(n)+gn)", scan_linear}}},
          {"recursive_doubling", {{"closed", "L(h(n)+gn)", scan_doubling}}}};
}

}  // namespace hockney::collectives
