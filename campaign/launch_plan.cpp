#include "campaign/launch_plan.hpp"

#include <algorithm>
#include <random>

#include "core/shuffle.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

/// Independent streams from one seed: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

}  // namespace

std::vector<PlannedLaunch> plan_launches(std::size_t settings, int launches, std::uint64_t seed) {
  std::vector<PlannedLaunch> plan;
  for (int launch = 1; launch <= launches; ++launch) {
    const std::uint64_t block_seed = mix(seed ^ mix(static_cast<std::uint64_t>(launch)));
    std::mt19937_64 random(block_seed);
    for (const std::size_t setting : random_order(settings, random)) {
      // 32 bits, so that every program and every JSON reader takes the number whole.
      plan.push_back({setting, launch, mix(block_seed + setting) >> 32U});
    }
  }
  return plan;
}

std::string launch_name(const std::string& setting, int launch) {
  std::string number = std::to_string(launch);
  if (number.size() < 3) number.insert(0, 3 - number.size(), '0');
  return setting + "-" + number;
}

std::string launches_text(int launches) {
  return std::to_string(launches) + (launches == 1 ? " launch" : " launches");
}

Plan::Plan(const Config& config, std::uint64_t seed, int launches)
    : settings_(strings_of(config.settings, &Setting::name)), seed_(seed) {
  plan(launches);
}

void Plan::plan(int launches) { plan_ = plan_launches(settings_.size(), launches, seed_); }

const std::string& Plan::setting(const PlannedLaunch& launch) const {
  return settings_.at(launch.setting);
}

std::string Plan::name(const PlannedLaunch& launch) const {
  return launch_name(setting(launch), launch.launch);
}

Plan::State Plan::state(const PlannedLaunch& launch) const {
  const auto known = states_.find(name(launch));
  if (known != states_.end()) return known->second;
  return given_up_.contains(setting(launch)) ? State::tried : State::open;
}

std::optional<PlannedLaunch> Plan::next() const {
  const auto open =
      std::ranges::find(plan_, State::open, [this](const auto& launch) { return state(launch); });
  return open == plan_.end() ? std::nullopt : std::optional(*open);
}

int Plan::left() const {
  return static_cast<int>(
      std::ranges::count(plan_, State::open, [this](const auto& launch) { return state(launch); }));
}

bool Plan::is_complete(const PlannedLaunch& launch) const {
  return state(launch) == State::complete;
}

bool Plan::all_complete() const {
  return std::ranges::all_of(plan_, [this](const auto& launch) { return is_complete(launch); });
}

int Plan::whole_blocks() const {
  const auto open = next();
  if (open) return open->launch - 1;
  return plan_.empty() ? 0 : plan_.back().launch;
}

}  // namespace hockney::campaign
