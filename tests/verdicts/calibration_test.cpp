#include <catch2/catch.hpp>

#include "core/quantities.hpp"
#include "tests/support/by_chance.hpp"
#include "tests/support/calibration.hpp"
#include "tests/support/study.hpp"

// The short form of tests/benchmarks/compare_calibration.cpp: verdicts on campaigns whose truth is
// known. Seeds are fixed, and limits are what chance passes once in a thousand times.
namespace hockney::verdicts {
namespace {

TwoSides one_size(double ratio, double block_spread = 0) {
  return {.campaign = {.sizes = parse_sizes("1K"), .truth = {{0, 1e-6, 1e-10}}, .samples = 20},
          .ratio = ratio,
          .block_spread = block_spread};
}

const CompareOptions apart{.correction = Correction::none};
const CompareOptions together{.correction = Correction::none, .origin = Origin::one_campaign};

void check_no_alarms(const Calibration& counts) {
  CHECK(counts.faster + counts.slower <= at_most(counts.comparisons, 0.05));
  CHECK(counts.faster + counts.slower >= at_least(counts.comparisons, 0.03));  // not wasted
}

void check_coverage(const Calibration& counts) {
  CHECK(counts.covered >= at_least(counts.comparisons, 0.95));
  CHECK(counts.covered <= at_most(counts.comparisons, 0.98));
}

}  // namespace

TEST_CASE("equal sides measured apart are rarely found different", "[study]") {
  const Calibration counts = calibrate(one_size(1), apart, trials_of(800));
  REQUIRE(counts.comparisons == trials_of(800));
  check_no_alarms(counts);
  check_coverage(counts);
}

TEST_CASE("equal sides in blocks are rarely found different, however the blocks drift", "[study]") {
  const Calibration counts = calibrate(one_size(1, 0.3), together, trials_of(800));
  check_no_alarms(counts);
  check_coverage(counts);
}

TEST_CASE("ratio intervals hold a true ratio and a slow-down of ten percent is found", "[study]") {
  for (const CompareOptions& options : {apart, together}) {
    const Calibration counts = calibrate(one_size(1.1), options, trials_of(400));
    check_coverage(counts);
    CHECK(counts.slower >= at_least(counts.comparisons, 0.93));
    CHECK(counts.faster == 0);
  }
}

TEST_CASE("pairing finds through drift what is lost without it", "[study]") {
  const TwoSides drifting = one_size(1.1, 0.3);
  const int trials = trials_of(200);
  CHECK(calibrate(drifting, together, trials).slower >= at_least(trials, 0.93));
  CHECK(calibrate(drifting, apart, trials).slower <= at_most(trials, 0.4));
}

TEST_CASE("a speed-up is told from a slow-down", "[study]") {
  const Calibration counts = calibrate(one_size(1 / 1.1), apart, trials_of(200));
  CHECK(counts.faster >= at_least(counts.comparisons, 0.93));
  CHECK(counts.slower == 0);
}

TEST_CASE("a difference at the edge of what is asked for is rarely told, one beyond it is",
          "[study]") {
  CompareOptions options = apart;
  options.at_least = 0.05;
  const Calibration edge = calibrate(one_size(1.05), options, trials_of(800));
  CHECK(edge.slower <= at_most(edge.comparisons, 0.025));
  CHECK(edge.faster == 0);
  const int trials = trials_of(200);
  CHECK(calibrate(one_size(1.15), options, trials).slower >= at_least(trials, 0.93));
}

TEST_CASE("a family of equal points rarely has any false alarm", "[study]") {
  TwoSides equal = one_size(1);
  equal.campaign.sizes = parse_sizes("1:256");
  const Calibration counts = calibrate(equal, {}, trials_of(300));
  REQUIRE(counts.comparisons == trials_of(300) * 9);
  CHECK(counts.alarmed <= at_most(counts.campaigns, 0.05));
}

TEST_CASE("of a family, twenty per cent at a third of the points are found with six launches",
          "[study]") {
  TwoSides truth = one_size(1.2, 0.1);
  truth.campaign.sizes = parse_sizes("1:64K");
  truth.campaign.launches = 6;
  truth.affected = 0.3;
  CompareOptions options{.origin = Origin::one_campaign};
  const Calibration joint = calibrate(truth, options, trials_of(200));
  CHECK(joint.alarmed <= at_most(trials_of(200), 0.05));
  CHECK(joint.found >= 0.8 * joint.affected);
  options.correction = Correction::holm;
  CHECK(calibrate(truth, options, 20).found == 0);  // 17 times 2/64
}

TEST_CASE("values of an axis that share their base give few false alarms, bursts or not",
          "[study]") {
  TwoSides equal = one_size(1, 0.1);
  equal.campaign.sizes = parse_sizes("1:256");
  equal.burst_fraction = 0.2;
  const Calibration counts =
      calibrate_axis(equal, {.origin = Origin::one_campaign}, 4, trials_of(150));
  REQUIRE(counts.comparisons == trials_of(150) * 4 * 9);
  CHECK(counts.alarmed <= at_most(counts.campaigns, 0.05));
}

}  // namespace hockney::verdicts
