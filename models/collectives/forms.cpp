#include "models/collectives/forms.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "core/collectives.hpp"
#include "core/quantities.hpp"
#include "models/collectives/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {

using schedules::Workload;

namespace {

/// One message of `bytes`.
Costs message(double bytes) { return {1, bytes, 0}; }

/// One message of `bytes`, then its reduction.
Costs combined(double bytes) { return {1, bytes, bytes}; }

double bytes(const Workload& work) { return static_cast<double>(work.bytes.value); }

double ranks(const Workload& work) { return work.ranks; }

/// ceil(log_base p).
int rounds(int ranks, int base = 2) {
  int count = 0;
  for (std::int64_t reached = 1; reached < ranks; reached *= base) ++count;
  return count;
}

/// Largest power of two ranks.
int power(const Workload& work) { return schedules::power_below(work.ranks); }

/// 1 where some ranks stand aside because p is no power of two, 0 otherwise.
double folds(const Workload& work) { return schedules::is_power_of_two(work.ranks) ? 0 : 1; }

/// n (q-1)/q: what a scatter among q ranks leaves of n bytes.
double all_but_one_part(double bytes, int parts) { return bytes * (parts - 1) / parts; }

double segments(const Workload& work) { return static_cast<double>(segments_of(work).size()); }

/// Bytes of the largest segment.
double segment(const Workload& work) {
  return static_cast<double>(segments_of(work).front().count * work.element_bytes);
}

int fanout(const Workload& work, int usual) { return work.fanout > 0 ? work.fanout : usual; }

constexpr int usual_fanout = 4;  // of Open MPI's chains and of its k-nomial tree

Costs at_once(const Workload& w) { return {1, (ranks(w) - 1) * bytes(w), 0}; }
Costs in_turn(const Workload& w) { return (ranks(w) - 1) * message(bytes(w)); }
Costs binomial(const Workload& w) { return rounds(w.ranks) * message(bytes(w)); }

/// A rank with k children shares its port among them. Its last child has one child fewer.
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

/// The closed forms of one operation, by algorithm.
using FormFamily = std::map<std::string, std::vector<ClosedForm>>;

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

/// The closed forms of an operation.
struct OperationForms {
  std::string_view operation;
  FormFamily (*family)();
};

constexpr std::array operation_forms{
    OperationForms{"allgather", allgather_forms},
    OperationForms{"allreduce", allreduce_forms},
    OperationForms{"alltoall", alltoall_forms},
    OperationForms{"barrier", barrier_forms},
    OperationForms{"bcast", bcast_forms},
    OperationForms{"exscan", scan_forms},
    OperationForms{"gather", gather_forms},
    OperationForms{"reduce", reduce_forms},
    OperationForms{"reduce-scatter", reduce_scatter_forms},
    OperationForms{"reduce-scatter-block", reduce_scatter_block_forms},
    OperationForms{"scan", scan_forms},
    OperationForms{"scatter", scatter_forms}};
static_assert(covers_schedules(operation_forms));

/// Costs of this form, or of the usual form of the algorithm that runs in its place. All zero if
/// that algorithm is unknown.
Costs costs_of(const ClosedForm& form, const std::string& operation, const std::string& algorithm,
               const Workload& work) {
  const auto runs = schedules::algorithm_that_runs(operation, algorithm, work);
  if (!runs) return {};
  if (*runs == algorithm) return form.costs(work);
  const auto others = closed_forms(operation, *runs);
  if (others.empty()) return {};
  // If the times of this algorithm cannot separate sending from combining, the few times of the
  // other one must not either. So both combine equally many bytes per byte sent.
  Costs costs = others.front().costs(work);
  const Costs own = form.costs(work);
  costs.gamma_bytes = own.beta_bytes > 0 ? costs.beta_bytes * own.gamma_bytes / own.beta_bytes : 0;
  return costs;
}

double mean_message(const Costs& costs) {
  return costs.alpha_count > 0 ? costs.beta_bytes / costs.alpha_count : 0;
}

using CostsOf = std::function<Costs(const Workload&)>;

Form closed(const ClosedForm& form, const CostsOf& costs) {
  return {form.name,
          form.formula,
          {"alpha_seconds", "beta_seconds_per_byte", "gamma_seconds_per_byte"},
          [costs](const Workload& work) {
            const Costs found = costs(work);
            return std::vector{found.alpha_count, found.beta_bytes, found.gamma_bytes};
          },
          [costs](const Workload& work) { return mean_message(costs(work)); }};
}

/// The messages of the closed form, each as long as one of ping-pong.
Form on_pingpong(const ClosedForm& form, const CostsOf& costs,
                 const std::function<double(double)>& message_seconds) {
  const std::string name = form.name == "closed" ? "" : form.name.substr(form.name.find(','));
  return {"ping-pong" + name,
          fmt::format("stretch x messages of {} x time of one", form.formula),
          {"stretch"},
          [costs, message_seconds](const Workload& work) {
            const Costs found = costs(work);
            return std::vector{found.alpha_count * message_seconds(mean_message(found))};
          },
          [costs](const Workload& work) { return mean_message(costs(work)); }};
}

double log2_of(const Workload& work) { return std::log2(ranks(work)); }

/// The forms used for Theta (Argonne, 2018) and their likes with p in place of its logarithm.
std::vector<Form> black_boxes(const std::string& operation) {
  const std::vector<std::string> two{"a_seconds", "b_seconds"};
  const std::vector<std::string> four{"g_seconds", "d_seconds_per_byte", "a_seconds",
                                      "b_seconds_per_byte"};
  if (operation == "barrier") {
    return {{"log2", "a+b log2(p)", two,
             [](const Workload& w) {
               return std::vector{1.0, log2_of(w)};
             }},
            {"linear", "a+b p", two, [](const Workload& w) {
               return std::vector{1.0, ranks(w)};
             }}};
  }
  const auto form = [&](std::string name, std::string formula, double (*growth)(const Workload&)) {
    return Form{std::move(name), std::move(formula), four, [growth](const Workload& w) {
                  const double n = bytes(w);
                  return std::vector{1.0, n, growth(w), n * growth(w)};
                }};
  };
  std::vector<Form> all;
  if (operation == "bcast") {
    all.push_back({"log2, no constant",
                   "(a+bn) log2(p)",
                   {"a_seconds", "b_seconds_per_byte"},
                   [](const Workload& w) {
                     return std::vector{log2_of(w), bytes(w) * log2_of(w)};
                   }});
    all.push_back({"scatter-allgather",
                   "a log2(p)+c p+2bn(p-1)/p",
                   {"a_seconds", "c_seconds", "b_seconds_per_byte"},
                   [](const Workload& w) {
                     const double part = all_but_one_part(bytes(w), w.ranks);
                     return std::vector{log2_of(w), ranks(w), 2 * part};
                   }});
  }
  all.push_back(form("log2", "g+dn+(a+bn) log2(p)", log2_of));
  all.push_back(form("linear", "g+dn+(a+bn) p", ranks));
  return all;
}

/// Replays once for each work: candidates are fitted again and again.
Form replayed(const std::string& operation, const std::string& algorithm,
              const FormContext& context) {
  const auto known = std::make_shared<std::map<std::pair<int, std::int64_t>, double>>();
  return {"replay",
          "stretch x replay of the schedule",
          {"stretch"},
          [operation, algorithm, known, network = context.network](const Workload& work) {
            const auto [place, added] = known->try_emplace({work.ranks, work.bytes.value}, 0);
            if (added) {
              const auto ranks = network(work.ranks);
              const auto runs = schedules::algorithm_that_runs(operation, algorithm, work);
              if (ranks && runs) {
                place->second = replay(schedule_of(operation, *runs, work), *ranks);
              }
            }
            return std::vector{place->second};
          }};
}

/// Whether Open MPI runs another algorithm for some works.
bool can_be_replaced(const std::string& operation, const std::string& algorithm) {
  const Workload least{.ranks = 3, .bytes = Bytes{1}};
  return unfit(operation, algorithm, least).has_value();
}

/// How many ranks with each number of children are on the longest path down the tree.
using Levels = std::map<int, double>;

Levels linear_levels(const Workload& w) { return {{w.ranks - 1, 1.0}}; }

Levels binomial_levels(const Workload& w) {
  Levels levels;
  for (int children = rounds(w.ranks); children > 0; --children) levels[children] = 1;
  return levels;
}

Levels binary_levels(const Workload& w) { return {{2, rounds(w.ranks + 1) - 2 + segments(w)}}; }

Levels chain_levels(const Workload& w) {
  const int chains = std::min(fanout(w, 4), std::max(w.ranks - 1, 1));
  const int length = (w.ranks - 1 + chains - 1) / chains;
  return {{chains, length + segments(w) - 1}};
}

Levels knomial_levels(const Workload& w) {
  const int radix = fanout(w, 4);
  return {{radix - 1, rounds(w.ranks, radix)}};
}

using LevelsOf = Levels (*)(const Workload&);

/// Trees whose ranks send to several children at once, which takes gamma(children + 1, n) times as
/// long as one message. A time is predicted only where the table has the gammas it needs: the row
/// is zero otherwise. Empty for algorithms that are no such trees.
std::vector<Form> gamma_forms(const std::string& operation, const std::string& algorithm,
                              const GammaTable& gammas) {
  static const std::map<std::string, LevelsOf> trees{{"basic_linear", linear_levels},
                                                     {"binomial", binomial_levels},
                                                     {"binary_tree", binary_levels},
                                                     {"chain", chain_levels},
                                                     {"knomial", knomial_levels}};
  const auto tree = trees.find(algorithm);
  if (operation != "bcast" || tree == trees.end()) return {};
  return {{"closed, gamma(k,n)",
           "sum over levels of gamma(children+1,n) h(n)",
           {"alpha_seconds", "beta_seconds_per_byte"},
           [gammas, levels_of = tree->second](const Workload& work) {
             double times = 0;
             const double bytes = segment(work);
             for (const auto& [children, count] : levels_of(work)) {
               const auto gamma =
                   gammas.at(children + 1, whole_number<std::int64_t>(segment(work)));
               if (!gamma) return std::vector{0.0, 0.0};
               times += *gamma * count;
             }
             return std::vector{times, times * bytes};
           }}};
}

}  // namespace

std::vector<ClosedForm> closed_forms(const std::string& operation, const std::string& algorithm) {
  static const std::map<std::string_view, FormFamily> all = [] {
    std::map<std::string_view, FormFamily> forms;
    for (const OperationForms& row : operation_forms) forms[row.operation] = row.family();
    return forms;
  }();
  const auto family = all.find(plain_name(operation));
  if (family == all.end()) return {};
  const auto forms = family->second.find(algorithm);
  return forms == family->second.end() ? std::vector<ClosedForm>() : forms->second;
}

std::vector<Form> forms_for(const std::string& operation,
                            const std::optional<std::string>& algorithm,
                            const FormContext& context) {
  std::vector<Form> all;
  if (algorithm) {
    if (context.network && schedules::has_algorithm(operation, *algorithm)) {
      all.push_back(replayed(operation, *algorithm, context));
    }
    for (const ClosedForm& form : closed_forms(operation, *algorithm)) {
      const CostsOf costs = [form, operation, name = *algorithm](const Workload& work) {
        return costs_of(form, operation, name, work);
      };
      all.push_back(closed(form, costs));
      if (can_be_replaced(operation, *algorithm)) {
        Form always = closed(form, form.costs);
        always.name += never_replaced;
        all.push_back(std::move(always));
      }
      if (context.message_seconds) all.push_back(on_pingpong(form, costs, context.message_seconds));
    }
    if (context.gammas != nullptr && !context.gammas->empty()) {
      for (Form& form : gamma_forms(operation, *algorithm, *context.gammas)) {
        all.push_back(std::move(form));
      }
    }
  }
  for (Form& form : black_boxes(operation)) {
    form.knows_algorithm = false;
    all.push_back(std::move(form));
  }
  return all;
}

}  // namespace hockney::collectives
