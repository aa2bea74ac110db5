#include <catch2/catch.hpp>

#include "tests/support/detection_study.hpp"
#include "tests/support/synthetic_fleet.hpp"

// The short form of tests/benchmarks/health_detection.cpp and health_fleet.cpp: the bounds are
// those that the promised rates leave by chance once in thousands of seeds; the seeds are fixed.
namespace hockney::health {
namespace {

Alarms with_defaults(std::span<const double> values) { return hockney_alarms(values, {}); }

struct Promise {
  NightlyNoise noise;
  double false_alarms;  ///< a series-year
};

const Promise promises[] = {
    {NightlyNoise::gaussian, 0.3}, {NightlyNoise::spiky, 0.7}, {NightlyNoise::correlated, 0.7}};

}  // namespace

TEST_CASE("false alarms are as rare as promised") {
  for (const Promise& promise : promises) {
    const auto found = study_false_alarms(with_defaults, {.noise = promise.noise}, 150, 51);
    INFO(name_of(promise.noise) << " " << *found.up.per_year());
    CHECK(*found.up.per_year() <= promise.false_alarms);
    CHECK(found.down.interval()->low <= promise.false_alarms);
  }
}

TEST_CASE("healthy nights are rarely suspect") {
  constexpr int years = 50;
  constexpr std::size_t learning = 30;
  for (const Promise& promise : promises) {
    std::mt19937_64 random(58);
    std::size_t suspects = 0;
    for (int year = 0; year < years; ++year) {
      NightlySeries series{.name = "healthy", .unit = "seconds"};
      for (const double value : synthetic_nights({.noise = promise.noise}, random)) {
        const auto day = static_cast<std::int64_t>(series.nights.size());
        series.nights.push_back({.day = day, .value = value, .launches = 8});
      }
      const auto nights = counted_nights(series, {}, series.nights.back().day);
      for (std::size_t n = learning; n <= nights.size(); ++n) {
        suspects += night_outlier(std::span(nights).first(n), {}) ? 1U : 0U;
      }
    }
    INFO(name_of(promise.noise) << " " << suspects);
    CHECK(suspects <= (promise.noise == NightlyNoise::spiky ? 40U : 5U));  // 18 and 0 expected
  }
}

TEST_CASE("5 % are found within a fortnight, and mostly within 5 nights") {
  for (const Promise& promise : promises) {
    const auto found = study_rise(with_defaults, {.noise = promise.noise, .change = 0.05}, 150, 52);
    INFO(name_of(promise.noise) << " " << *found.within_14.share());
    CHECK(found.within_14.interval()->high >= 0.95);
    CHECK(*found.within_14.share() >= 0.90);
    CHECK(found.median_nights.value_or(99) <= 5);
  }
}

TEST_CASE("the detectors it is compared with fail where they are known to") {
  const auto alarms = [](const AlarmsOf& detector, NightlyNoise noise) {
    return *study_false_alarms(detector, {.noise = noise}, 30, 53).up.per_year();
  };
  CHECK(alarms(plain_cusum_alarms, NightlyNoise::correlated) > 3);
  CHECK(alarms(shewhart_alarms, NightlyNoise::spiky) > 5);
  CHECK(alarms(fixed_threshold_alarms, NightlyNoise::spiky) > 10);
  CHECK(alarms(divisive_alarms, NightlyNoise::correlated) > 2);
  const auto t = study_rise(perfherder_alarms, {.change = 0.05}, 50, 54);
  CHECK(*t.within_14.share() < 0.8);
}

TEST_CASE("a node 10 % slow is named in one night, and healthy ones are not") {
  const FleetStudy full = study_fleet({.slow_node = 0.1}, 60, 55);
  CHECK(full.found >= 57);
  CHECK(full.false_nodes <= 8);
  const FleetStudy sparse = study_fleet({.rounds = 16, .slow_node = 0.1}, 60, 56);
  CHECK(sparse.found >= 54);
  CHECK(sparse.false_nodes <= 8);
  for (const int nodes : {8, 32}) {
    const FleetStudy healthy = study_fleet({.nodes = nodes, .rounds = nodes - 1}, 200, 57);
    INFO(nodes << " nodes");
    CHECK(healthy.false_nodes <= 20);  // 0.05 a night would be 10; P(more than 20) = 0.0016
  }
}

}  // namespace hockney::health
