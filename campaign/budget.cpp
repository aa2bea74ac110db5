#include "campaign/budget.hpp"

#include <algorithm>
#include <cmath>

#include "campaign/config.hpp"
#include "core/durations.hpp"

namespace hockney {
namespace {

constexpr int fewest = 3;
constexpr int enough_for_interval = 6;  // exact interval of a median at 95 %
constexpr int most = 30;                // beyond, intervals shrink by a few per cent only
constexpr double overhead_share = 1.0 / 3;
constexpr double overhead_share_at_most = 1.0 / 2;
constexpr Seconds shortest_slot{0.05};
constexpr Seconds shortest_limit{10};

/// nullopt before any launch is complete.
std::optional<Seconds> typical(const std::vector<LaunchCost>& costs, Seconds LaunchCost::*part) {
  if (costs.empty()) return std::nullopt;
  std::vector<double> values;
  values.reserve(costs.size());
  for (const LaunchCost& cost : costs) values.push_back((cost.*part).value);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return Seconds{*middle};
}

/// The whole number of `part` that `whole` holds, at most `limit`.
int count_in(Seconds whole, Seconds part, int limit) {
  if (part.value <= 0) return whole.value > 0 ? limit : 0;
  return static_cast<int>(std::clamp(std::floor(whole / part), 0.0, static_cast<double>(limit)));
}

}  // namespace

LaunchCount plan_budget(Seconds budget, Seconds overhead, std::size_t settings) {
  const Seconds block = overhead * static_cast<double>(settings);
  const std::string cost = "a launch costs " + format_duration(overhead) + " beside measuring";
  const int comfortable = count_in(budget * overhead_share, block, most);
  if (comfortable >= enough_for_interval) return {comfortable, cost + ", a third of the budget"};
  if (block * enough_for_interval <= budget * overhead_share_at_most) {
    return {enough_for_interval, cost + ", and an interval needs 6 launches"};
  }
  if (comfortable >= fewest) {
    return {comfortable, cost + "; the budget is too short for the 6 an interval needs"};
  }
  return {fewest, cost + "; the budget is too short, 3 is the least"};
}

LaunchCount Budget::first_guess() const {
  if (launches_) return {*launches_, "as asked"};
  return {default_launches, "a guess until the first launch is complete"};
}

LaunchCount Budget::revise(const BudgetUse& use, int begun, LaunchCount planned) const {
  if (launches_) return planned;
  if (use.costs.size() == 1) {
    LaunchCount decided = plan_budget(total_, use.costs.front().overhead, settings_);
    decided.launches = std::max(decided.launches, begun);
    return decided;
  }
  const int fitting = launches_that_fit(use, begun, planned.launches);
  if (fitting < planned.launches) return {fitting, "more no longer fitted the budget"};
  const auto wall = typical(use.costs, &LaunchCost::wall);
  if (use.launches_left > 0 || !wall) return planned;
  const Seconds block = *wall * static_cast<double>(settings_);
  const int more = count_in(left(use), block, most);
  const int extended = std::min(planned.launches + more, most);
  if (extended <= planned.launches) return planned;
  return {extended, "launches ended before their time was up"};
}

int Budget::launches_that_fit(const BudgetUse& use, int begun, int planned) const {
  // A launch that could measure for less than a quarter of its overhead is not worth starting.
  const double worthwhile = 1.25;
  const Seconds least = typical(use.costs, &LaunchCost::overhead).value_or(Seconds{}) * worthwhile;
  const int fitting = count_in(left(use), least, use.launches_left);
  const int settings = static_cast<int>(settings_);
  const int left_of_block = use.launches_left - settings * (planned - begun);
  const int blocks = std::max(0, fitting - left_of_block) / settings;
  return std::min(planned, std::max(fewest, begun + blocks));
}

Seconds Budget::slot(const BudgetUse& use) const {
  const Seconds share = left(use) / std::max(1, use.launches_left);
  const auto overhead = typical(use.costs, &LaunchCost::overhead);
  // Before anything is known, start-up is given the third that plan_budget allows it.
  const Seconds slot = overhead ? share - *overhead : share * (1 - overhead_share);
  return std::max(slot, shortest_slot);
}

Seconds Budget::limit(const BudgetUse& use, Seconds launch_timeout) const {
  const Seconds overhead = typical(use.costs, &LaunchCost::overhead).value_or(Seconds{});
  const Seconds expected = slot(use) + overhead;
  return std::min(launch_timeout, std::max({shortest_limit, left(use), expected * 3}));
}

Seconds Budget::left(const BudgetUse& use) const { return std::max(Seconds{}, total_ - use.spent); }

Seconds launch_overhead(Seconds wall, Seconds measuring, std::optional<Seconds> slot) {
  const Seconds counted = slot ? std::min(measuring, *slot) : measuring;
  return std::max(Seconds{}, wall - counted);
}

}  // namespace hockney
