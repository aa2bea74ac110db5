#include <catch2/catch.hpp>

#include "core/quantities.hpp"
#include "tests/support/by_chance.hpp"
#include "tests/support/calibration.hpp"

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
  CHECK(counts.faster + counts.slower > 0);  // the level is used, not wasted
}

void check_coverage(const Calibration& counts) {
  CHECK(counts.covered >= 0.93 * counts.comparisons);
  CHECK(counts.covered <= 0.99 * counts.comparisons);
}

}  // namespace

TEST_CASE("equal sides measured apart are rarely found different") {
  const Calibration counts = calibrate(one_size(1), apart, 800);
  REQUIRE(counts.comparisons == 800);
  check_no_alarms(counts);
  check_coverage(counts);
}

TEST_CASE("equal sides in blocks are rarely found different, however the blocks drift") {
  const Calibration counts = calibrate(one_size(1, 0.3), together, 800);
  check_no_alarms(counts);
  check_coverage(counts);
}

TEST_CASE("ratio intervals hold a true ratio and a slow-down of ten percent is found") {
  for (const CompareOptions& options : {apart, together}) {
    const Calibration counts = calibrate(one_size(1.1), options, 400);
    check_coverage(counts);
    CHECK(counts.slower >= 0.9 * counts.comparisons);
    CHECK(counts.faster == 0);
  }
}

TEST_CASE("pairing finds through drift what is lost without it") {
  const TwoSides drifting = one_size(1.1, 0.3);
  CHECK(calibrate(drifting, together, 200).slower >= 180);
  CHECK(calibrate(drifting, apart, 200).slower <= 100);
}

TEST_CASE("a speed-up is told from a slow-down") {
  const Calibration counts = calibrate(one_size(1 / 1.1), apart, 200);
  CHECK(counts.faster >= 180);
  CHECK(counts.slower == 0);
}

TEST_CASE("a difference at the edge of what is asked for is rarely told, one beyond it is") {
  CompareOptions options = apart;
  options.at_least = 0.05;
  const Calibration edge = calibrate(one_size(1.05), options, 800);
  CHECK(edge.slower <= at_most(800, 0.025));
  CHECK(edge.faster == 0);
  CHECK(calibrate(one_size(1.15), options, 200).slower >= 180);
}

TEST_CASE("a family of equal points rarely has any false alarm") {
  TwoSides equal = one_size(1);
  equal.campaign.sizes = parse_sizes("1:256");
  const Calibration counts = calibrate(equal, {}, 300);
  REQUIRE(counts.comparisons == 300 * 9);
  CHECK(counts.alarmed <= at_most(counts.campaigns, 0.05));
}

TEST_CASE("of a family, twenty per cent at a third of the points are found with six launches") {
  TwoSides truth = one_size(1.2, 0.1);
  truth.campaign.sizes = parse_sizes("1:64K");
  truth.campaign.launches = 6;
  truth.affected = 0.3;
  CompareOptions options{.origin = Origin::one_campaign};
  const Calibration joint = calibrate(truth, options, 200);
  CHECK(joint.alarmed <= at_most(200, 0.05));
  CHECK(joint.found >= 0.8 * joint.affected);
  options.correction = Correction::holm;
  CHECK(calibrate(truth, options, 20).found == 0);  // 17 times 2/64
}

TEST_CASE("values of an axis that share their base give few false alarms, bursts or not") {
  TwoSides equal = one_size(1, 0.1);
  equal.campaign.sizes = parse_sizes("1:256");
  equal.burst_fraction = 0.2;
  const Calibration counts = calibrate_axis(equal, {.origin = Origin::one_campaign}, 4, 150);
  REQUIRE(counts.comparisons == 150 * 4 * 9);
  CHECK(counts.alarmed <= at_most(counts.campaigns, 0.05));
}

}  // namespace hockney::verdicts
