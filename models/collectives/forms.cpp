#include "models/collectives/forms.hpp"

#include <cmath>
#include <map>
#include <memory>

#include "algorithms/schedule.hpp"
#include "models/collectives/form_helpers.hpp"
#include "models/collectives/gamma_forms.hpp"
#include "models/collectives/replay.hpp"

namespace hockney {
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
    const auto known = algorithms_of(operation);
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

}  // namespace hockney
