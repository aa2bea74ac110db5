#include "campaign/budget.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>

#include "campaign/config.hpp"
#include "core/json_node.hpp"

namespace hockney::campaign {
namespace {

struct Launched {
  double startup = 0;
  double measuring = 0;
  bool is_shortened = false;
};

struct Simulated {
  int launches = 0;  ///< of each setting
  double wall = 0;
  double longest = 0;             ///< launch
  std::optional<Seconds> needed;  ///< when it was given up
};

/// A whole campaign against a clock of its own; `launch` tells what a launch does with its slot.
Simulated simulate(const BudgetPlan& requested,
                   const std::function<Launched(double slot)>& launch) {
  const Budget plan(requested);
  const int settings = static_cast<int>(requested.settings);
  LaunchCount count = plan.first_guess();
  BudgetUse use;
  int done = 0;
  double longest = 0;
  for (;;) {
    use.launches_left = count.launches * settings - done;
    if (done > 0) {
      const int begun = (done - 1) / settings + 1;
      count = plan.revise(use, begun, count);
      use.launches_left = count.launches * settings - done;
    }
    if (use.launches_left <= 0) return {count.launches, use.spent.value, longest, {}};
    const auto needed = plan.least_beyond(use, count.launches);
    if (needed) return {count.launches, use.spent.value, longest, needed};
    const Seconds slot = plan.slot(use);
    const Launched cost = launch(slot.value);
    const Seconds wall{cost.startup + cost.measuring};
    use.spent = use.spent + wall;
    longest = std::max(longest, wall.value);
    use.complete.push_back({wall, {cost.measuring}, slot, cost.is_shortened});
    ++done;
  }
}

Simulated simulate(double budget, std::size_t settings, std::optional<int> requested,
                   const std::function<Launched(double slot)>& launch) {
  return simulate({.total = {budget}, .settings = settings, .launches = requested}, launch);
}

std::function<Launched(double)> obedient(double startup) {
  return [=](double slot) { return Launched{startup, slot}; };
}

}  // namespace

TEST_CASE("the number of launches keeps start-up within a third of the budget") {
  const auto launches = [](double start_up, std::size_t settings, double least = 0) {
    return plan_budget({60}, {{start_up}, {least}}, settings).launches;
  };
  CHECK(launches(1, 1) == 20);
  CHECK(launches(0.1, 1) == 30);
  CHECK(launches(0, 1) == 30);
  CHECK(launches(1, 2) == 10);
  CHECK(launches(4, 1) == 6);  // 24 s, below four fifths: an interval needs 6
  CHECK(launches(8, 1) == 6);  // 48 s, just four fifths
  CHECK(launches(8.1, 1) == 3);
  CHECK(launches(4.1, 2) == 3);
  CHECK(launches(25, 1) == 2);  // 3 would take more
  CHECK(launches(100, 1) == 1);
}

TEST_CASE("no more launches than have the time to measure what they must") {
  CHECK(plan_budget({60}, {{1}, {4}}, 1).launches == 12);
  CHECK(plan_budget({60}, {{1}, {4}}, 2).launches == 6);
  CHECK(plan_budget({60}, {{1}, {9.5}}, 1).launches == 5);
  CHECK(plan_budget({60}, {{1}, {40}}, 1).launches == 1);
  CHECK(plan_budget({60}, {{4}, {6.5}}, 1).launches == 5);
}

/// How many settings a config has, or would have where the library tells the values of an axis.
std::size_t settings_of(const Config& config) {
  constexpr std::size_t told = 8;
  if (!config.sweep) return config.settings.size();
  std::size_t count = 1;
  for (const Axis& axis : config.sweep->axes) count *= axis.values ? axis.values->size() : told;
  return count;
}

TEST_CASE("a budget that launches for a verdict fit into is planned for them, in every config") {
  int checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HOCKNEY_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".json") continue;
    const JsonNode document = load_json(entry.path().string());
    if (!document.find("schema") || document.at("schema").text() != campaign_schema) continue;
    const Config config = read_config(document);
    for (const double budget : {30.0, 120.0, 600.0}) {
      for (const double start_up : {0.3, 1.0}) {
        for (const double slower : {1.0, 2.0}) {
          BudgetPlan plan{.total = {budget}, .settings = settings_of(config)};
          plan.most = std::max(config.launches.value_or(default_most_launches), 6);
          if (slower > 1) plan.terms.start_up = Seconds{start_up};
          int launch = 0;
          // Of a program that leaves points out to keep to its slot, on a machine that others use.
          const Simulated run = simulate(plan, [&](double slot) {
            const double times = ++launch == 1 ? 1.0 : slower;
            return Launched{start_up * times, slot * times, true};
          });
          const double all = 6 * static_cast<double>(plan.settings) * start_up * slower;
          CAPTURE(entry.path().filename().string(), budget, start_up, slower, plan.settings);
          ++checked;
          if (all * 1.3 > budget) continue;
          CHECK_FALSE(run.needed);
          CHECK(run.launches >= 6);
          CHECK(run.wall <= 1.05 * budget + run.longest);
        }
      }
    }
  }
  CHECK(checked > 100);
}

TEST_CASE("the budget is used up and kept, whatever start-up costs") {
  for (const double startup : {0.01, 0.5, 1.0, 3.0, 4.5}) {
    for (const std::size_t settings : {1U, 2U, 4U}) {
      CAPTURE(startup, settings);
      const Simulated run = simulate(120, settings, {}, obedient(startup));
      CHECK_FALSE(run.needed);
      CHECK(run.wall == Approx(120).epsilon(0.01));
      CHECK(run.launches >= 3);
    }
  }
}

TEST_CASE("start-up that varies does not break the budget") {
  std::mt19937 random(1);  // NOLINT: a fixed seed makes the test repeatable
  std::lognormal_distribution<double> startup(std::log(0.8), 0.4);
  for (int trial = 0; trial < 50; ++trial) {
    const Simulated run = simulate(60, 2, {}, [&](double slot) {
      return Launched{startup(random), slot * 1.02};
    });
    CHECK(run.wall > 57);
    CHECK(run.wall < 63);
  }
}

TEST_CASE("launches that were asked for are all made, in equal shares") {
  const Simulated run = simulate(60, 1, 4, obedient(1));
  CHECK(run.launches == 4);
  CHECK(run.wall == Approx(60));
}

TEST_CASE("a program that cannot be as short as its slot gets fewer launches") {
  // Two seconds of measuring at least: more than the slots of 30 launches in 60 s.
  const Simulated run = simulate(60, 1, {}, [](double slot) {
    return Launched{0.2, std::max(slot, 2.0)};
  });
  CHECK(run.wall == Approx(60).margin(3));
  CHECK(run.launches >= 6);
}

TEST_CASE("launches that slow down are taken back, those that end early make room for more") {
  int launch = 0;
  const Simulated slower = simulate(60, 1, {}, [&](double slot) {
    return Launched{++launch <= 3 ? 0.1 : 5.0, slot};
  });
  CHECK(slower.launches < 30);
  CHECK(slower.wall < 63);
  const Simulated early = simulate(60, 1, {}, [](double slot) {
    return Launched{2.0, std::min(slot, 1.0)};
  });
  CHECK(early.launches > 10);  // the first plan
  CHECK(early.wall > 54);
}

TEST_CASE("a budget is kept to within a launch, or given up with what is needed") {
  std::mt19937 random(12);  // NOLINT: a fixed seed makes the test repeatable
  std::lognormal_distribution<double> around(0, 0.2);
  int given_up = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const double start_up = 0.2 * std::pow(2.0, trial % 6);
    const double least = 0.3 * (trial % 4);
    const std::size_t settings = std::array{1U, 2U, 9U, 27U}.at(random() % 4);
    const bool is_expected = trial % 2 == 0;
    BudgetPlan plan{.total = {20}, .settings = settings};
    if (is_expected) plan.terms.start_up = Seconds{start_up};
    const Simulated run = simulate(plan, [&](double slot) {
      return Launched{start_up * around(random), std::max(slot, least)};
    });
    CAPTURE(start_up, least, settings, run.wall, run.launches);
    CHECK(run.wall <= 21 + run.longest);
    const double block = (start_up + std::max(least, 0.05)) * static_cast<double>(settings);
    if (block < 17) CHECK_FALSE(run.needed);
    if (run.needed) CHECK(*run.needed > Seconds{20});
    if (block > 24 && settings > 1) CHECK(run.needed);
    if (is_expected && start_up * static_cast<double>(settings) > 21) CHECK(run.wall == 0);
    given_up += run.needed ? 1 : 0;
  }
  CHECK(given_up > 50);
}

TEST_CASE("launches that were asked for with a budget are all made in time, or none") {
  BudgetPlan plan{.total = {20}, .settings = 2, .launches = 10, .most = 30, .terms = {}};
  CHECK_FALSE(simulate(plan, obedient(1.5)).needed);  // the config asks: 31 s
  CHECK(simulate(plan, obedient(1.5)).wall > 30);
  plan.terms = {BudgetRule::both_hold, Seconds{1.5}};
  const Simulated refused = simulate(plan, obedient(1.5));
  CHECK(refused.wall == 0);
  CHECK(refused.needed->value == Approx(20 * 1.55));
  plan.terms.start_up = Seconds{0.5};
  const Simulated held = simulate(plan, obedient(0.5));
  CHECK(held.launches == 10);
  CHECK(held.wall == Approx(20));
}

TEST_CASE("what is due before the launches counts") {
  const Budget budget({.total = {20}, .settings = 9, .terms = {.start_up = Seconds{1}}});
  CHECK_FALSE(budget.least_beyond({.spent = {1}, .due = {9}, .launches_left = 9}, 1));
  const auto needed = budget.least_beyond({.spent = {3}, .due = {9}, .launches_left = 9}, 1);
  CHECK(needed->value == Approx(3 + 9 + 9 * 1.05));
  // Only the first launch of each setting is a must.
  CHECK_FALSE(budget.least_beyond({.spent = {1}, .due = {9}, .launches_left = 90}, 10));
  CHECK_FALSE(budget.least_beyond({.spent = {30}, .due = {}, .launches_left = 81}, 10));
}

TEST_CASE("a block that does not fit is given up with those begun before it") {
  const Budget budget({.total = {60}, .settings = 10});
  BudgetUse use{.spent = {50}, .complete = {}, .launches_left = 8};
  for (int i = 0; i < 32; ++i) use.complete.push_back({{1.5}, {0.5}, {0.5}});
  CHECK(budget.revise(use, 4, {4, ""}).launches == 4);  // 8.4 s fit
  use.spent = {55};
  CHECK(budget.revise(use, 4, {4, ""}).launches == 3);
}

TEST_CASE("fewer than six launches tell nothing at 95 %") { CHECK(fewest_telling_launches() == 6); }

TEST_CASE("a hung launch may not cost more than is left, nor the launch timeout") {
  const Budget budget({.total = {60}});
  BudgetUse use{.spent = {20}, .complete = {{{3}, {2}, {2}}}, .launches_left = 10};
  CHECK(budget.slot(use) == Seconds{3});
  CHECK(budget.limit(use, {120}) == Seconds{40});
  CHECK(budget.limit(use, {15}) == Seconds{15});
  use.spent = {59};
  CHECK(budget.limit(use, {120}) == Seconds{10});
  CHECK(budget.slot(use).value > 0);
}

TEST_CASE("what a launch costs follows from those that are complete") {
  CHECK_FALSE(typical_cost({}).has_value());
  const LaunchTimes quick{.wall = {1}, .measuring = {0}, .slot = {9}};
  const LaunchTimes slow{.wall = {3}, .measuring = {0}, .slot = {9}};
  CHECK(typical_cost({quick, slow})->start_up == Seconds{2});
  const LaunchTimes kept{{3}, {2.1}, {2}};
  CHECK(typical_cost({kept})->start_up.value == Approx(0.9));
  CHECK(typical_cost({kept})->least_measuring == Seconds{0});
  const LaunchTimes overrun{{9}, {5}, {2}};
  CHECK(typical_cost({overrun})->start_up == Seconds{4});
  CHECK(typical_cost({overrun})->least_measuring == Seconds{5});
  CHECK(typical_cost({overrun, kept})->least_measuring == Seconds{2.1});
  CHECK(typical_cost({{{1}, {4}, {4}}})->start_up == Seconds{0});
}

TEST_CASE("the best measuring time balances start-up against noise") {
  CHECK(best_measuring({{0.4}, {0}}, {0.9}).value == Approx(0.6));
  CHECK(best_measuring({{0.4}, {2}}, {0.9}).value == Approx(2));
  CHECK(best_measuring({{0.4}, {0}}, {0}).value == Approx(0.05));
}

TEST_CASE("once variances are known, time goes where it buys most") {
  const auto launches = [](double balance) {
    const Budget plan({.total = {60}});
    const LaunchCount planned{10, ""};
    BudgetUse use{.spent = {6}, .complete = {}, .launches_left = 7, .balance = Seconds{balance}};
    for (int i = 0; i < 3; ++i) use.complete.push_back({{2}, {1}, {1}});
    return plan.revise(use, 3, planned).launches;
  };
  CHECK(launches(1) == 30);   // 54 s / (1 s + 1 s) = 27 more
  CHECK(launches(4) == 21);   // 54 s / (1 s + 2 s) = 18 more
  CHECK(launches(100) == 8);  // 54 s / 11 s = 4.9, the nearest is 5
  CHECK(launches(std::numeric_limits<double>::infinity()) == 6);  // an interval needs 6
  CHECK(launches(0) == 30);
}

TEST_CASE("a balance never plans what the budget cannot hold") {
  const Budget plan({.total = {10}, .settings = 2});
  BudgetUse use{.spent = {9.9}, .complete = {}, .launches_left = 0, .balance = Seconds{1}};
  for (int i = 0; i < 8; ++i) use.complete.push_back({{1.2}, {0.2}, {0.2}});
  CHECK(plan.revise(use, 4, {4, ""}).launches == 4);
}

}  // namespace hockney::campaign
