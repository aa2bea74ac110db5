#include "campaign/stopping.hpp"

#include <algorithm>

#include "core/shares.hpp"

namespace hockney {
namespace {

int most_of(const CampaignConfig& config) {
  return config.most_launches.value_or(default_most_launches);
}

std::optional<Budget> budget_of(const CampaignConfig& config) {
  if (!config.budget) return std::nullopt;
  return Budget(*config.budget, config.settings.size(), config.launches, most_of(config));
}

std::optional<Looks> looks_of(const CampaignConfig& config) {
  if (!precision_of(config)) return std::nullopt;
  return Looks(most_of(config));
}

}  // namespace

LaunchCount first_plan(const CampaignConfig& config) {
  if (const auto budget = budget_of(config)) return budget->first_guess();
  if (config.launches) return {*config.launches, "as asked"};
  return {Looks(most_of(config)).first().launches, "the fewest an interval is looked at with"};
}

Stopping::Stopping(const CampaignConfig& config)
    : asked_(precision_of(config)), budget_(budget_of(config)), looks_(looks_of(config)) {}

LaunchCount Stopping::look(const Findings& findings, int whole, LaunchCount planned) const {
  if (!looks_ || whole == 0) return planned;
  const Look* here = looks_->at(whole);
  if (here != nullptr && findings.precision(*asked_, here->level).reached()) {
    return {whole, "every interval is within " + format_share(*asked_) + " of its median"};
  }
  const bool nothing_found = findings.precision(*asked_, default_level).points == 0;
  if (budget_ || whole < planned.launches || nothing_found) return planned;
  const Look* next = looks_->after(whole);
  if (next != nullptr) {
    return {next->launches, "not every interval is within " + format_share(*asked_) + " yet"};
  }
  return {planned.launches, "the most there may be"};
}

Precision Stopping::reached(const Findings& findings, int whole) const {
  const double asked = asked_.value_or(default_precision);
  if (!looks_) return findings.precision(asked, default_level);
  // What ends between two looks may use what the next one had been given.
  const Look* here = looks_->at(whole) != nullptr ? looks_->at(whole) : looks_->after(whole);
  return findings.precision(asked, here != nullptr ? here->level : looks_->all().back().level);
}

}  // namespace hockney
