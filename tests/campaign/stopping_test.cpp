#include "campaign/stopping.hpp"

#include <catch2/catch.hpp>

namespace hockney::campaign {
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
