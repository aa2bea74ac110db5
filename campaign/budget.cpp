#include "campaign/budget.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/statistics.hpp"
#include "core/time.hpp"

namespace hockney::campaign {
namespace {

constexpr int guessed_launches = 10;
constexpr int fewest = 3;
constexpr double start_up_share = 1.0 / 3;
constexpr Seconds shortest_slot{0.05};
constexpr Seconds shortest_limit{10};
constexpr double tolerated_excess = 0.05;  // of a budget, before a block under way is given up

/// The whole number of `part` that `whole` holds, at most `limit`.
int count_in(Seconds whole, Seconds part, int limit) {
  if (part.value <= 0) return whole.value > 0 ? limit : 0;
  return static_cast<int>(std::clamp(std::floor(whole / part), 0.0, static_cast<double>(limit)));
}

/// The least that `launches` take.
Seconds least_of(const LaunchCost& cost, int launches) {
  return (cost.start_up + std::max(cost.least_measuring, shortest_slot)) * launches;
}

/// A launch that could measure for less than a quarter of its start-up is not worth starting.
Seconds shortest_launch(const LaunchCost& cost) {
  const double worthwhile = 1.25;
  return std::max(cost.start_up * worthwhile, cost.start_up + cost.least_measuring);
}

Seconds typical_wall(const BudgetUse& use) {
  std::vector<double> wall;
  wall.reserve(use.complete.size());
  for (const LaunchTimes& launch : use.complete) wall.push_back(launch.wall.value);
  return {median_of_some(wall)};
}

/// By how much the latest launches measured for longer than they were given, as on a machine that
/// others use.
double overrun_of(const BudgetUse& use) {
  constexpr std::size_t latest = 3;
  constexpr double most = 4;
  double overrun = 1;
  const std::size_t count = use.complete.size();
  for (std::size_t i = count - std::min(count, latest); i < count; ++i) {
    const LaunchTimes& launch = use.complete[i];
    if (launch.slot.value > 0) overrun = std::max(overrun, launch.measuring / launch.slot);
  }
  return std::min(overrun, most);
}

}  // namespace

int fewest_telling_launches() { return static_cast<int>(samples_for_interval()); }

std::optional<LaunchCost> typical_cost(const std::vector<LaunchTimes>& launches) {
  if (launches.empty()) return std::nullopt;
  const double tolerated = 1.1;
  std::vector<double> start_up;
  start_up.reserve(launches.size());
  Seconds shortest = launches.front().measuring;
  bool overran = false;
  for (const LaunchTimes& launch : launches) {
    start_up.push_back(std::max(0.0, (launch.wall - launch.measuring).value));
    shortest = std::min(shortest, launch.measuring);
    overran = overran || (!launch.is_shortened && launch.measuring > launch.slot * tolerated);
  }
  return LaunchCost{{median_of_some(start_up)}, overran ? shortest : Seconds{}};
}

LaunchCount plan_budget(Seconds budget, const LaunchCost& cost, std::size_t settings, int most) {
  const auto count = static_cast<double>(settings);
  const Seconds start_up = cost.start_up * count;
  std::string because = "a launch takes " + format_duration(cost.start_up) + " beside measuring";
  if (cost.least_measuring.value > 0) {
    because += " and measures for " + format_duration(cost.least_measuring) + " at least";
  }
  const int telling = fewest_telling_launches();
  const std::string needed = std::to_string(telling) + " launches";
  const int held = count_in(budget, start_up + cost.least_measuring * count, most);
  const int comfortable = std::min(held, count_in(budget * start_up_share, start_up, most));
  if (comfortable >= std::min(telling, most)) return {comfortable, because};
  const int crowded = count_in(budget * start_up_share_at_most, start_up, most);
  if (std::min(held, crowded) >= telling) {
    return {telling, because + ", and an interval needs " + needed};
  }
  const int few = std::min({std::max(fewest, comfortable), held, most});
  return {std::max(1, few),
          because + "; the budget is too short for the " + needed + " an interval needs"};
}

Seconds best_measuring(const LaunchCost& cost, Seconds balance) {
  const double best = std::sqrt(cost.start_up.value * balance.value);
  return std::max({Seconds{best}, cost.least_measuring, shortest_slot});
}

LaunchCount Budget::first_guess() const {
  if (plan_.launches) return {*plan_.launches, "as asked"};
  if (plan_.terms.start_up) {
    return plan_budget(plan_.total, {*plan_.terms.start_up, {}}, plan_.settings, plan_.most);
  }
  return {std::min(guessed_launches, plan_.most), "a guess until the first launch is complete"};
}

LaunchCount Budget::revise(const BudgetUse& use, int begun, LaunchCount planned) const {
  if (plan_.launches) return planned;
  const auto cost = typical_cost(use.complete);
  if (cost && use.complete.size() <= 2) {
    Seconds for_launches = left(use);
    for (const LaunchTimes& launch : use.complete) for_launches = for_launches + launch.wall;
    LaunchCount decided = plan_budget(for_launches, *cost, plan_.settings, plan_.most);
    decided.launches = std::max(decided.launches, begun);
    return decided;
  }
  const int fitting = launches_that_fit(use, begun, planned.launches);
  if (fitting < planned.launches) return {fitting, "more no longer fitted the budget"};
  if (cost && use.balance) return balanced(use, begun, planned.launches, *cost, *use.balance);
  if (use.launches_left > 0 || !cost) return planned;
  const int more = count_in(left(use), typical_wall(use) * settings(), plan_.most);
  const int extended = std::min(planned.launches + more, plan_.most);
  if (extended <= planned.launches) return planned;
  return {extended, "launches ended before their time was up"};
}

LaunchCount Budget::balanced(const BudgetUse& use, int begun, int planned, const LaunchCost& cost,
                             Seconds balance) const {
  const Seconds measuring = std::min(best_measuring(cost, balance), plan_.total);
  const Seconds block = (cost.start_up + measuring) * settings();
  const Seconds after_block = std::max(
      Seconds{}, left(use) - (cost.start_up + measuring) * left_of_block(use, begun, planned));
  // The nearest number: what is missing or left over is shared by the launches to come.
  const int best = begun + count_in(after_block + block / 2, block, plan_.most);
  const int room = begun + count_in(after_block, shortest_launch(cost) * settings(), plan_.most);
  const int needed = std::min(fewest_telling_launches(), plan_.most);
  const int launches = std::min({std::max(best, needed), room, plan_.most});
  return {std::max(begun, launches), "launches are worth measuring for " +
                                         format_duration(measuring) +
                                         ", by the noise inside and between them"};
}

int Budget::left_of_block(const BudgetUse& use, int begun, int planned) const {
  return use.launches_left - settings() * (planned - begun);
}

int Budget::launches_that_fit(const BudgetUse& use, int begun, int planned) const {
  const LaunchCost cost = known_cost(use).value_or(LaunchCost{});
  const int of_block = left_of_block(use, begun, planned);
  const Seconds bearable = left(use) + plan_.total * tolerated_excess;
  // A block is of use when it is whole; of the first one least_beyond() speaks.
  if (begun > 1 && of_block > 0 && least_of(cost, of_block) > bearable) return begun - 1;
  const int fitting = count_in(left(use), shortest_launch(cost), use.launches_left);
  return std::min(planned, begun + std::max(0, fitting - of_block) / settings());
}

std::optional<LaunchCost> Budget::known_cost(const BudgetUse& use) const {
  if (const auto cost = typical_cost(use.complete)) return cost;
  return plan_.terms.start_up ? std::optional(LaunchCost{*plan_.terms.start_up, {}}) : std::nullopt;
}

Seconds Budget::slot(const BudgetUse& use) const {
  const Seconds share = left(use) / std::max(1, use.launches_left);
  const auto cost = known_cost(use);
  // Before anything is known, start-up is given the third that plan_budget allows it.
  const Seconds slot = cost ? share - cost->start_up : share * (1 - start_up_share);
  return std::max(slot / overrun_of(use), shortest_slot);
}

std::optional<Seconds> Budget::least_beyond(const BudgetUse& use, int planned) const {
  const bool all = plan_.launches.has_value();
  if (all && plan_.terms.rule == BudgetRule::launches_first) return std::nullopt;
  auto cost = known_cost(use);
  const int due = all ? use.launches_left : left_of_block(use, 1, planned);
  if (!cost || due <= 0) return std::nullopt;
  // The first launch is often slow.
  if (use.complete.size() == 1 && plan_.terms.start_up) {
    cost->start_up = std::min(cost->start_up, *plan_.terms.start_up);
  }
  const Seconds least = use.spent + use.due + least_of(*cost, due);
  return least > plan_.total * (1 + tolerated_excess) ? std::optional(least) : std::nullopt;
}

Seconds Budget::limit(const BudgetUse& use, Seconds launch_timeout) const {
  const LaunchCost cost = known_cost(use).value_or(LaunchCost{});
  const Seconds expected = cost.start_up + std::max(slot(use), cost.least_measuring);
  return std::min(launch_timeout, std::max({shortest_limit, left(use), expected * 3}));
}

Seconds Budget::left(const BudgetUse& use) const {
  return std::max(Seconds{}, plan_.total - use.spent - use.due);
}

}  // namespace hockney::campaign
