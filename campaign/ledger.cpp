#include "campaign/ledger.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace hockney {

Ledger::Ledger(const CampaignConfig& config, std::uint64_t seed, int launches)
    : settings_(strings_of(config.settings, &Setting::name)), seed_(seed) {
  plan(launches);
}

void Ledger::plan(int launches) { plan_ = plan_launches(settings_.size(), launches, seed_); }

const std::string& Ledger::setting(const PlannedLaunch& launch) const {
  return settings_.at(launch.setting);
}

std::string Ledger::name(const PlannedLaunch& launch) const {
  return launch_name(setting(launch), launch.launch);
}

void Ledger::complete(const std::string& name) {
  complete_.insert(name);
  settled_.insert(name);
}

bool Ledger::is_open(const PlannedLaunch& launch) const { return !settled_.contains(name(launch)); }

std::optional<PlannedLaunch> Ledger::next() const {
  const auto open = std::ranges::find_if(plan_, [this](const auto& each) { return is_open(each); });
  return open == plan_.end() ? std::nullopt : std::optional(*open);
}

int Ledger::left() const {
  return static_cast<int>(
      std::ranges::count_if(plan_, [this](const auto& each) { return is_open(each); }));
}

bool Ledger::all_complete() const {
  return std::ranges::all_of(plan_,
                             [this](const auto& each) { return complete_.contains(name(each)); });
}

int Ledger::whole_blocks() const {
  const auto open = next();
  if (open) return open->launch - 1;
  return plan_.empty() ? 0 : plan_.back().launch;
}

}  // namespace hockney
