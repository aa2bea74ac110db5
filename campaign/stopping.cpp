#include "campaign/stopping.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/quantities.hpp"

namespace hockney::campaign {
namespace {

std::vector<int> moments(int most) {
  constexpr double growth = 1.4;
  std::vector<int> launches;
  for (const int count : {8, 10, 14, 20, 30}) {
    if (count < most) launches.push_back(count);
  }
  while (!launches.empty() && launches.back() >= 30 && launches.back() * growth < most) {
    launches.push_back(static_cast<int>(std::lround(launches.back() * growth)));
  }
  launches.push_back(most);
  return launches;
}

/// The level that an exact interval of the median of n values has when `level` is asked for.
/// nullopt when n is too small.
std::optional<double> exact_level(int n, double level) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0);
  const auto interval = quantile_interval(values, 0.5, level);
  return interval ? std::optional(interval->level) : std::nullopt;
}

int most_of(const Config& config) { return config.most_launches.value_or(default_most_launches); }

std::optional<Budget> budget_of(const Config& config, const BudgetTerms& terms) {
  if (!config.budget) return std::nullopt;
  return Budget({.total = *config.budget,
                 .settings = config.settings.size(),
                 .launches = config.launches,
                 .most = most_of(config),
                 .terms = terms});
}

}  // namespace

InterimAnalyses::InterimAnalyses(int most, double level) {
  const std::vector<int> launches = moments(most);
  const double share = (1 - level) / static_cast<double>(launches.size());
  double unspent = 0;
  for (const int count : launches) {
    unspent += share;
    const auto exact = exact_level(count, 1 - unspent);
    if (exact || count == most) analyses_.push_back({count, exact.value_or(1 - unspent)});
    if (exact) unspent -= 1 - *exact;
  }
}

const InterimAnalysis* InterimAnalyses::at(int launches) const {
  const auto found = std::ranges::find(analyses_, launches, &InterimAnalysis::launches);
  return found == analyses_.end() ? nullptr : &*found;
}

const InterimAnalysis* InterimAnalyses::after(int launches) const {
  const auto found = std::ranges::upper_bound(analyses_, launches, {}, &InterimAnalysis::launches);
  return found == analyses_.end() ? nullptr : &*found;
}

LaunchCount first_plan(const Config& config, const BudgetTerms& terms) {
  if (const auto budget = budget_of(config, terms)) return budget->first_guess();
  if (config.launches) return {*config.launches, "as asked"};
  return {InterimAnalyses(most_of(config)).first().launches,
          "the fewest an interval is looked at with"};
}

std::optional<Stopping::Rule> Stopping::rule_of(const Config& config) {
  const auto requested = precision_of(config);
  if (!requested) return std::nullopt;
  return Rule{*requested, InterimAnalyses(most_of(config))};
}

Stopping::Stopping(const Config& config, const BudgetTerms& terms)
    : budget_(budget_of(config, terms)), rule_(rule_of(config)) {}

LaunchCount Stopping::analyse(const Findings& findings, int whole, LaunchCount planned) const {
  if (!rule_ || whole == 0) return planned;
  const auto& [requested, analyses] = *rule_;
  const InterimAnalysis* here = analyses.at(whole);
  if (here != nullptr && findings.precision(requested, here->level).reached()) {
    return {whole, "every interval is within " + format_fraction(requested) + " of its median"};
  }
  const bool nothing_found = findings.precision(requested, default_level).points == 0;
  if (budget_ || whole < planned.launches || nothing_found) return planned;
  const InterimAnalysis* next = analyses.after(whole);
  if (next != nullptr) {
    return {next->launches, "not every interval is within " + format_fraction(requested) + " yet"};
  }
  return {planned.launches, "the most there may be"};
}

Precision Stopping::reached(const Findings& findings, int whole) const {
  if (!rule_) return findings.precision(default_precision, default_level);
  const auto& [requested, analyses] = *rule_;
  // What ends between two analyses may use what the next one had been given.
  const InterimAnalysis* here =
      analyses.at(whole) != nullptr ? analyses.at(whole) : analyses.after(whole);
  return findings.precision(requested, here != nullptr ? here->level : analyses.all().back().level);
}

}  // namespace hockney::campaign
