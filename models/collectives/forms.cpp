#include "models/collectives/forms.hpp"

#include <cmath>
#include <map>
#include <memory>

#include "core/whole_number.hpp"
#include "models/collectives/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {

using schedules::Workload;

std::vector<ClosedForm> closed_forms(const std::string& operation, const std::string& algorithm) {
  static const std::map<std::string, FormFamily> all{
      {"allgather", allgather_forms()},
      {"allreduce", allreduce_forms()},
      {"alltoall", alltoall_forms()},
      {"barrier", barrier_forms()},
      {"bcast", bcast_forms()},
      {"exscan", scan_forms()},
      {"gather", gather_forms()},
      {"reduce", reduce_forms()},
      {"reduce_scatter", reduce_scatter_forms()},
      {"reduce_scatter_block", reduce_scatter_block_forms()},
      {"scan", scan_forms()},
      {"scatter", scatter_forms()}};
  const auto family = all.find(operation);
  if (family == all.end()) return {};
  const auto forms = family->second.find(algorithm);
  return forms == family->second.end() ? std::vector<ClosedForm>() : forms->second;
}

namespace {

Form closed(const ClosedForm& form) {
  return {form.name,
          form.formula,
          {"alpha_seconds", "beta_seconds_per_byte", "gamma_seconds_per_byte"},
          [costs = form.costs](const Workload& work) {
            const Costs found = costs(work);
            return std::vector{found.alpha_count, found.beta_bytes, found.gamma_bytes};
          }};
}

double log2_of(const Workload& work) { return std::log2(forms::ranks(work)); }

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
               return std::vector{1.0, forms::ranks(w)};
             }}};
  }
  const auto form = [&](std::string name, std::string formula, double (*growth)(const Workload&)) {
    return Form{std::move(name), std::move(formula), four, [growth](const Workload& w) {
                  const double n = forms::bytes(w);
                  return std::vector{1.0, n, growth(w), n * growth(w)};
                }};
  };
  std::vector<Form> all;
  if (operation == "bcast") {
    all.push_back({"log2, no constant",
                   "(a+bn) log2(p)",
                   {"a_seconds", "b_seconds_per_byte"},
                   [](const Workload& w) {
                     return std::vector{log2_of(w), forms::bytes(w) * log2_of(w)};
                   }});
    all.push_back({"scatter-allgather",
                   "a log2(p)+c p+2bn(p-1)/p",
                   {"a_seconds", "c_seconds", "b_seconds_per_byte"},
                   [](const Workload& w) {
                     const double part = forms::all_but_one_part(forms::bytes(w), w.ranks);
                     return std::vector{log2_of(w), forms::ranks(w), 2 * part};
                   }});
  }
  all.push_back(form("log2", "g+dn+(a+bn) log2(p)", log2_of));
  all.push_back(form("linear", "g+dn+(a+bn) p", forms::ranks));
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
              const bool fits = ranks && !unfit(operation, algorithm, work);
              if (fits) place->second = replay(schedule_of(operation, algorithm, work), *ranks);
            }
            return std::vector{place->second};
          }};
}

}  // namespace

std::vector<Form> forms_for(const std::string& operation,
                            const std::optional<std::string>& algorithm,
                            const FormContext& context) {
  std::vector<Form> all;
  if (algorithm) {
    const auto known = schedules::algorithms_of(operation);
    const bool has_schedule = std::ranges::find(known, *algorithm) != known.end();
    if (context.network && has_schedule) {
      all.push_back(replayed(operation, *algorithm, context));
    }
    for (const ClosedForm& form : closed_forms(operation, *algorithm)) all.push_back(closed(form));
    if (context.gammas != nullptr && !context.gammas->empty()) {
      for (Form& form : gamma_forms(operation, *algorithm, *context.gammas)) {
        all.push_back(std::move(form));
      }
    }
  }
  for (Form& form : black_boxes(operation)) all.push_back(std::move(form));
  return all;
}

namespace {

/// How often a rank of each number of children is on the way down, and what it sends.
using Levels = std::map<int, double>;

Levels linear_levels(const Workload& w) { return {{w.ranks - 1, 1.0}}; }

Levels binomial_levels(const Workload& w) {
  Levels levels;
  for (int children = forms::rounds(w.ranks); children > 0; --children) levels[children] = 1;
  return levels;
}

Levels binary_levels(const Workload& w) {
  return {{2, forms::rounds(w.ranks + 1) - 2 + forms::segments(w)}};
}

Levels chain_levels(const Workload& w) {
  const int chains = std::min(forms::fanout(w, 4), std::max(w.ranks - 1, 1));
  const int length = (w.ranks - 1 + chains - 1) / chains;
  return {{chains, length + forms::segments(w) - 1}};
}

Levels knomial_levels(const Workload& w) {
  const int radix = forms::fanout(w, 4);
  return {{radix - 1, forms::rounds(w.ranks, radix)}};
}

using LevelsOf = Levels (*)(const Workload&);

}  // namespace

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
             const double bytes = forms::segment(work);
             for (const auto& [children, count] : levels_of(work)) {
               const auto gamma =
                   gammas.at(children + 1, whole_number<std::int64_t>(forms::segment(work)));
               if (!gamma) return std::vector{0.0, 0.0};
               times += *gamma * count;
             }
             return std::vector{times, times * bytes};
           }}};
}

}  // namespace hockney::collectives
