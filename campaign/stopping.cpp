#include "campaign/stopping.hpp"

#include <algorithm>

#include "core/shares.hpp"

namespace hockney {
namespace {

int most_of(const CampaignConfig& config) {
  return config.most_launches.value_or(default_most_launches);
}

std::optional<Budget> budget_of(const CampaignConfig& config, const BudgetTerms& terms) {
  if (!config.budget) return std::nullopt;
  return Budget({.total = *config.budget,
                 .settings = config.settings.size(),
                 .launches = config.launches,
                 .most = most_of(config),
                 .terms = terms});
}

}  // namespace

LaunchCount first_plan(const CampaignConfig& config, const BudgetTerms& terms) {
  if (const auto budget = budget_of(config, terms)) return budget->first_guess();
  if (config.launches) return {*config.launches, "as asked"};
  return {Looks(most_of(config)).first().launches, "the fewest an interval is looked at with"};
}

std::optional<Stopping::Rule> Stopping::rule_of(const CampaignConfig& config) {
  const auto asked = precision_of(config);
  if (!asked) return std::nullopt;
  return Rule{*asked, Looks(most_of(config))};
}

Stopping::Stopping(const CampaignConfig& config, const BudgetTerms& terms)
    : budget_(budget_of(config, terms)), rule_(rule_of(config)) {}

LaunchCount Stopping::look(const Findings& findings, int whole, LaunchCount planned) const {
  if (!rule_ || whole == 0) return planned;
  const auto& [asked, looks] = *rule_;
  const Look* here = looks.at(whole);
  if (here != nullptr && findings.precision(asked, here->level).reached()) {
    return {whole, "every interval is within " + format_share(asked) + " of its median"};
  }
  const bool nothing_found = findings.precision(asked, default_level).points == 0;
  if (budget_ || whole < planned.launches || nothing_found) return planned;
  const Look* next = looks.after(whole);
  if (next != nullptr) {
    return {next->launches, "not every interval is within " + format_share(asked) + " yet"};
  }
  return {planned.launches, "the most there may be"};
}

Precision Stopping::reached(const Findings& findings, int whole) const {
  if (!rule_) return findings.precision(default_precision, default_level);
  const auto& [asked, looks] = *rule_;
  // What ends between two looks may use what the next one had been given.
  const Look* here = looks.at(whole) != nullptr ? looks.at(whole) : looks.after(whole);
  return findings.precision(asked, here != nullptr ? here->level : looks.all().back().level);
}

}  // namespace hockney
