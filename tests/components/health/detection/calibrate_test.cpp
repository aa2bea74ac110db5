#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "components/health/detection/calibrate.hpp"
#include "core/error.hpp"
#include "tests/components/health/detection/check_fixture.hpp"
#include "tests/support/detection_study.hpp"

namespace hockney::health {
namespace {

std::vector<NightlySeries> site(const NightlyTruth& truth, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NightlySeries> series;
  for (int k = 0; k < count; ++k) {
    NightlySeries one = quiet_series("series" + std::to_string(k), truth.nights);
    const auto values = synthetic_nights(truth, random);
    for (std::size_t i = 0; i < values.size(); ++i) one.nights[i].value = 1e-6 * values[i];
    series.push_back(std::move(one));
  }
  return series;
}

CalibrateOptions quickly() {
  CalibrateOptions options;
  options.series_years = 150;
  return options;
}

}  // namespace

TEST_CASE("a Poisson rate knows its exact interval") {
  CHECK_FALSE(YearlyRate{}.per_year());
  CHECK_FALSE(YearlyRate{}.interval());
  const YearlyRate none{0, 10};
  CHECK(none.per_year() == 0.0);
  CHECK(none.interval()->low == 0);
  CHECK(none.interval()->high == Approx(-std::log(0.025) / 10));
  const YearlyRate ten{10, 1};  // Garwood 1936
  CHECK(ten.interval()->low == Approx(4.795).epsilon(1e-3));
  CHECK(ten.interval()->high == Approx(18.39).epsilon(1e-3));
}

TEST_CASE("a site's noise and dependence are learnt from its history") {
  const auto independent = calibrate_detector(site({.spread = 0.03}, 10, 41), {}, quickly());
  REQUIRE(independent);
  CHECK(independent->series == 10);
  CHECK(independent->skipped == 0);
  CHECK(independent->noise == Approx(0.03).epsilon(0.1));
  CHECK(independent->autocorrelation < 0.15);
  CHECK(independent->block_nights == 14);
  const NightlyTruth correlated{.noise = NightlyNoise::correlated, .spread = 0.03};
  const auto dependent = calibrate_detector(site(correlated, 10, 42), {}, quickly());
  REQUIRE(dependent);
  CHECK(dependent->autocorrelation == Approx(0.5).margin(0.08));
  CHECK(dependent->threshold > independent->threshold);
}

TEST_CASE("the threshold keeps the rate that is wanted, on nights it has not seen") {
  const NightlyTruth truth{.noise = NightlyNoise::correlated};
  CalibrateOptions options = quickly();
  options.series_years = 400;
  options.false_alarms_per_year = 0.3;
  const auto found = calibrate_detector(site(truth, 20, 43), {}, options);
  REQUIRE(found);
  CHECK(found->reached);
  CHECK(*found->false_alarms.per_year() <= 0.3);
  DetectorParameters parameters;
  parameters.threshold = found->threshold;
  const auto fresh = study_false_alarms(
      [&](std::span<const double> v) { return hockney_alarms(v, parameters); }, truth, 300, 44);
  INFO("threshold " << found->threshold << " rate " << *fresh.up.per_year());
  CHECK(fresh.up.interval()->low <= 0.3);
}

TEST_CASE("larger changes are found sooner and more often") {
  const auto found = calibrate_detector(site({}, 5, 45), {}, quickly());
  REQUIRE(found);
  REQUIRE(found->delays.size() == 4);
  CHECK(found->delays[0].change == 0.03);
  CHECK(*found->delays[1].found.share() >= 0.95);  // 5 % in noise of 2 %
  CHECK(*found->delays[1].median_nights <= 5);
  for (std::size_t k = 1; k < 4; ++k) {
    CHECK(found->delays[k].found.hits >= found->delays[k - 1].found.hits);
    CHECK(*found->delays[k].median_nights <= *found->delays[k - 1].median_nights);
  }
}

TEST_CASE("a lasting change is no noise to learn from") {
  auto series = site({}, 6, 46);
  for (NightlySeries& one : series) one = shifted(one, 200, 1.5);
  const auto found = calibrate_detector(series, {}, quickly());
  REQUIRE(found);
  CHECK(found->noise == Approx(0.02).epsilon(0.15));
  CHECK(found->autocorrelation < 0.2);
  CHECK(*found->false_alarms.per_year() <= 0.3);
}

TEST_CASE("a history that is too short calibrates nothing") {
  CHECK_FALSE(calibrate_detector({}));
  const auto found = calibrate_detector(site({.nights = 27}, 3, 47), {}, quickly());
  CHECK_FALSE(found);
  auto mixed = site({.nights = 27}, 3, 48);
  mixed.push_back(quiet_series("long", 100));
  const auto some = calibrate_detector(mixed, {}, quickly());
  REQUIRE(some);
  CHECK(some->series == 1);
  CHECK(some->skipped == 3);
}

TEST_CASE("calibration without a wish is refused") {
  const auto series = site({}, 1, 49);
  CHECK_THROWS_AS(calibrate_detector(series, {}, {.false_alarms_per_year = 0}), InputError);
  CHECK_THROWS_AS(calibrate_detector(series, {}, {.series_years = 0}), InputError);
}

}  // namespace hockney::health
