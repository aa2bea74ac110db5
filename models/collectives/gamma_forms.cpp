#include "models/collectives/gamma_forms.hpp"

#include <map>

#include "models/collectives/form_helpers.hpp"

namespace hockney {
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
                   gammas.at(children + 1, static_cast<std::int64_t>(forms::segment(work)));
               if (!gamma) return std::vector{0.0, 0.0};
               times += *gamma * count;
             }
             return std::vector{times, times * bytes};
           }}};
}

}  // namespace hockney
