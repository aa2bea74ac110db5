#include "campaign/findings.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/example_record.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney::campaign {
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

}  // namespace hockney::campaign
