#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <random>

#include "core/json_node.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/stopping.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/synthetic.hpp"

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
  CHECK(launches(24, 1) == 2);  // 3 would take more
  CHECK(launches(25, 1) == 1);  // 2 would leave less than a fifth to measuring
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
  constexpr std::size_t reported = 8;
  if (!config.sweep) return config.settings.size();
  std::size_t count = 1;
  for (const Axis& axis : config.sweep->axes) count *= axis.values ? axis.values->size() : reported;
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

TEST_CASE("fewer than six launches tell nothing at 95 %") { CHECK(launches_for_interval() == 6); }

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
  const LaunchTimes sparse{
      .wall = {3}, .measuring = {2}, .slot = {2}, .is_shortened = true, .is_sparse = true};
  CHECK(typical_cost({sparse})->start_up == Seconds{1});
  CHECK(typical_cost({sparse})->least_measuring == Seconds{4});
  CHECK(typical_cost({sparse, kept})->least_measuring == Seconds{4});
  // A budget of 30 s: the second launch is longer, so that fewer follow.
  CHECK(plan_budget({30}, *typical_cost({sparse}), 1).launches <= 6);
}

TEST_CASE("after a launch of few points one launch gets the rest of a small budget") {
  const Budget budget({.total = {3}});
  const LaunchTimes sparse{
      .wall = {1.2}, .measuring = {0.4}, .slot = {0.2}, .is_shortened = true, .is_sparse = true};
  BudgetUse use{.spent = {1.2}, .complete = {sparse}, .launches_left = 9};
  CHECK(budget.revise(use, 1, {10, ""}).launches == 2);
  use.launches_left = 1;
  CHECK(budget.slot(use).value == Approx(0.8));  // 1.8 s less 0.8 s of start-up and 0.2 s beyond
  use.spent = {2.5};
  CHECK(budget.revise(use, 1, {10, ""}).launches == 1);  // the rest is not worth a start
}

TEST_CASE("no launch follows a long first one that leaves less than its start-up") {
  const Budget budget({.total = {3}});
  const LaunchTimes most{
      .wall = {2.2}, .measuring = {1.4}, .slot = {0.2}, .is_shortened = true, .is_sparse = false};
  const BudgetUse use{.spent = {2.2}, .complete = {most}, .launches_left = 9};
  CHECK(budget.revise(use, 1, {10, ""}).launches == 1);
}

TEST_CASE("the first epoch of a launch may take longer than its slot, so that all sizes are kept") {
  const auto first_epoch = [](double budget, std::size_t settings, BudgetUse use) {
    return Budget({.total = {budget}, .settings = settings}).first_epoch(use).value;
  };
  CHECK(first_epoch(3, 1, {.launches_left = 10}) == Approx(1.2));   // half of 3 s less a start-up
  CHECK(first_epoch(30, 1, {.launches_left = 10}) == Approx(4.4));  // a sixth less a start-up
  CHECK(first_epoch(3, 2, {.launches_left = 20}) == Approx(0.45));  // half of 1.5 s less that
  CHECK(first_epoch(3, 1, {.spent = {2.5}, .launches_left = 1}) == Approx(1.0 / 3));  // the slot
  const LaunchTimes quick{.wall = {0.5}, .measuring = {0.2}, .slot = {0.2}};
  CHECK(first_epoch(3, 1, {.spent = {0.5}, .complete = {quick}, .launches_left = 5}) ==
        Approx(1.1));
  CHECK(Budget({.total = {3}, .launches = 9}).first_epoch({.launches_left = 9}).value ==
        Approx(2.0 / 9));  // as many launches as requested
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

namespace {

LaunchFindings launch(double median_seconds, std::optional<double> error = std::nullopt,
                      double measuring = 1, const std::string& point = "p") {
  return {.points = {{.point = point, .median_seconds = median_seconds, .error = error}},
          .measuring = {measuring}};
}

}  // namespace

TEST_CASE("a record tells the median of each point and its error inside the launch") {
  Record record = example_record();
  Series& series = record.series.front();
  series.samples_seconds = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  series.blocks = {9};
  series.starts_seconds.clear();
  series.noise_probes_seconds.clear();
  series.summary = summarise(series);
  const LaunchFindings found = findings_of(record);
  CHECK(found.measuring.value == record.measuring_seconds);
  REQUIRE(found.points.size() == 1);
  CHECK(found.points[0].point == curve_name(series.point) + " 8");
  CHECK(found.points[0].median_seconds == 5);
  CHECK(found.points[0].error == *median_error(series.samples_seconds) / 5);
}

TEST_CASE("the precision is the widest half-width of any point") {
  Findings findings;
  for (const double median : {1.0, 1.01, 1.02, 1.03, 1.04, 1.05}) findings.add("s", launch(median));
  for (const double median : {2.0, 2.0, 2.0, 2.0, 2.0, 2.5}) {
    findings.add("s", launch(median, {}, 1, "q"));
  }
  const Precision found = findings.precision(0.05, 0.95);
  CHECK(found.points == 2);
  CHECK(found.within == 1);
  CHECK(found.widest == Approx(0.125));
  CHECK(found.widest_at == "s: q");
  CHECK(found.level == 0.95);
  CHECK_FALSE(found.reached());
  CHECK(findings.precision(0.13, 0.95).reached());
}

TEST_CASE("without intervals nothing is reached, and nothing is the widest") {
  Findings findings;
  CHECK_FALSE(findings.precision(0.05, 0.95).reached());
  for (int i = 0; i < 5; ++i) findings.add("s", launch(1));
  const Precision found = findings.precision(0.05, 0.95);
  CHECK(found.points == 1);
  CHECK(found.within == 0);
  CHECK(found.widest_at.empty());
}

TEST_CASE("a simulator's launches, all alike, are precise, at a time of zero too") {
  Findings findings;
  for (int i = 0; i < 6; ++i) {
    findings.add("s", launch(0));
    findings.add("s", launch(1, {}, 1, "q"));
  }
  CHECK(findings.precision(1e-9, 0.95).reached());
}

TEST_CASE("settings are points of their own") {
  Findings findings;
  findings.add("a", launch(1));
  findings.add("b", launch(2));
  CHECK(findings.precision(0.05, 0.95).points == 2);
}

TEST_CASE("the balance is where noise inside a launch equals that between launches") {
  // Logarithms of the medians: -0.1, 0, 0.1, variance 0.01. Inside: error 0.05 after 2 s, so
  // 0.0025 x 2 s; between: 0.01 - 0.0025.
  Findings findings;
  for (const double level : {-0.1, 0.0, 0.1}) findings.add("s", launch(std::exp(level), 0.05, 2));
  REQUIRE(findings.balance());
  CHECK(findings.balance()->value == Approx(0.0025 * 2 / 0.0075));
}

TEST_CASE("launches no farther apart than their own noise have an infinite balance") {
  Findings findings;
  for (const double level : {-0.01, 0.0, 0.01}) findings.add("s", launch(std::exp(level), 0.05, 2));
  REQUIRE(findings.balance());
  CHECK(std::isinf(findings.balance()->value));
}

TEST_CASE("two launches, or launches without an error, tell no balance") {
  Findings findings;
  findings.add("s", launch(1, 0.05));
  findings.add("s", launch(1.1, 0.05));
  CHECK_FALSE(findings.balance());
  Findings silent;
  for (int i = 0; i < 5; ++i) silent.add("s", launch(1));
  CHECK_FALSE(silent.balance());
}

TEST_CASE("the balance is found from synthetic launches") {
  // Between launches 2 %; inside, 400 independent samples of 20 % in 1 s: the median's variance is
  // pi/2 0.04/400. Expected balance: 0.000157 / 0.0004 s = 0.39 s.
  Noise noise(5);
  Findings findings;
  for (int l = 0; l < 30; ++l) {
    LaunchFindings found{.points = {}, .measuring = {1}};
    for (int p = 0; p < 20; ++p) {
      const double level = 0.02 * noise.normal();
      std::vector<double> samples;
      for (int i = 0; i < 400; ++i) samples.push_back(std::exp(level + 0.2 * noise.normal()));
      found.points.push_back({.point = std::to_string(p),
                              .median_seconds = *median(samples),
                              .error = *median_error(samples) / *median(samples)});
    }
    findings.add("s", found);
  }
  REQUIRE(findings.balance());
  CHECK(findings.balance()->value > 0.25);
  CHECK(findings.balance()->value < 0.6);
}

namespace {

Config config_with(std::optional<double> precision, std::optional<int> most) {
  Config config{.name = "c", .program = "p"};
  config.precision = precision;
  config.most_launches = most;
  return config;
}

/// `launches` medians from 1 to 1 + spread.
Findings spread_over(int launches, double spread) {
  Findings findings;
  for (int l = 0; l < launches; ++l) {
    const double median = 1 + spread * l / (launches - 1);
    findings.add("default", {.points = {{.point = "p", .median_seconds = median}}});
  }
  return findings;
}

}  // namespace

TEST_CASE("the first plan follows what the config says about stopping") {
  Config config = config_with({}, {});
  CHECK(first_plan(config).launches == 8);
  config.most_launches = 6;
  CHECK(first_plan(config).launches == 6);
  config.budget = Seconds{60};
  CHECK(first_plan(config).launches == 6);
  config.most_launches.reset();
  CHECK(first_plan(config).launches == 10);
  config.launches = 3;
  CHECK(first_plan(config).launches == 3);
}

TEST_CASE("5 % is the default only where nothing else says when to stop") {
  Config config = config_with({}, {});
  CHECK(precision_of(config) == 0.05);
  config.most_launches = 12;
  CHECK(precision_of(config) == 0.05);
  config.budget = Seconds{60};
  CHECK_FALSE(precision_of(config));
  config.precision = 0.02;
  CHECK(precision_of(config) == 0.02);
  Config counted = config_with({}, {});
  counted.launches = 10;
  CHECK_FALSE(precision_of(counted));
}

TEST_CASE("a campaign whose intervals are narrow stops at the look") {
  const Stopping stopping(config_with(0.05, {}));
  const LaunchCount enough = stopping.analyse(spread_over(8, 0.08), 8, {8, ""});
  CHECK(enough.launches == 8);
  CHECK(enough.because == "every interval is within 5 % of its median");
}

TEST_CASE("one whose intervals are wide goes on to the next look, and at last stops") {
  const Stopping stopping(config_with(0.05, 14));
  const LaunchCount more = stopping.analyse(spread_over(8, 0.5), 8, {8, ""});
  CHECK(more.launches == 10);
  CHECK(more.because == "not every interval is within 5 % yet");
  CHECK(stopping.analyse(spread_over(9, 0.01), 9, {10, "on"}).launches == 10);
  const LaunchCount last = stopping.analyse(spread_over(14, 0.5), 14, {14, ""});
  CHECK(last.launches == 14);
  CHECK(last.because == "the most there may be");
}

TEST_CASE("launches that find nothing are not followed by more") {
  const Stopping stopping(config_with(0.05, {}));
  CHECK(stopping.analyse(Findings(), 8, {8, "as planned"}).launches == 8);
}

TEST_CASE("with a budget, a look can end the campaign early but never extends it") {
  Config config = config_with(0.05, {});
  config.budget = Seconds{60};
  const Stopping stopping(config);
  CHECK(stopping.analyse(spread_over(8, 0.08), 8, {20, "time"}).launches == 8);
  CHECK(stopping.analyse(spread_over(8, 0.5), 8, {20, "time"}).launches == 20);
  CHECK(stopping.analyse(spread_over(20, 0.5), 20, {20, "time"}).launches == 20);
}

TEST_CASE("without a precision nothing is looked at") {
  Config config = config_with({}, {});
  config.launches = 20;
  const Stopping stopping(config);
  CHECK(stopping.analyse(spread_over(8, 0), 8, {20, "as asked"}).because == "as asked");
  CHECK(stopping.reached(spread_over(20, 0), 20).level == 0.95);
}

TEST_CASE("what is reported has the level of the look that ended it, or of the one to come") {
  const Stopping stopping(config_with(0.05, {}));
  const InterimAnalyses analyses(30);
  CHECK(stopping.reached(spread_over(10, 0.1), 10).level == analyses.at(10)->level);
  CHECK(stopping.reached(spread_over(12, 0.1), 12).level == analyses.at(14)->level);
}

}  // namespace hockney::campaign
