#include <catch2/catch.hpp>

#include "tests/support/by_chance.hpp"
#include "tests/support/guideline_launches.hpp"
#include "tests/support/study.hpp"

// The short form of tests/benchmarks/guideline_calibration.cpp: verdicts on campaigns whose truth
// is known, with launch effects, autocorrelation and heavy tails. Seeds are fixed, and limits are
// what chance passes once in a thousand times.
namespace hockney::verdicts {

TEST_CASE("a family of 240 guidelines of equal sides has no false alarm", "[study]") {
  const GuidelineCounts counts = judge_many({.cells = 240}, trials_of(20));
  REQUIRE(counts.cells == 240 * trials_of(20));
  CHECK(counts.violated == 0);
  CHECK(counts.covered >= 0.93 * counts.cells);
  CHECK(counts.covered <= 0.99 * counts.cells);
  CHECK(counts.satisfied >= 0.9 * counts.cells);
}

TEST_CASE("at the edge of what is allowed few families have any violation", "[study]") {
  const GuidelineCounts counts = judge_many({.cells = 12, .ratio = 1.05}, trials_of(200));
  CHECK(counts.alarmed <= at_most(counts.campaigns, 0.05));
  CHECK(counts.satisfied <= at_most(counts.cells, 0.025));
}

TEST_CASE("guidelines that are violated by 15 % are found, and never called satisfied", "[study]") {
  const GuidelineCounts counts = judge_many({.cells = 60, .ratio = 1.15}, 10);
  CHECK(counts.violated >= 0.9 * counts.cells);
  CHECK(counts.satisfied == 0);
}

TEST_CASE("wide spreads make cells undecided, not wrong", "[study]") {
  const GuidelineCounts counts = judge_many({.cells = 60, .ratio = 1.15, .visit_spread = 0.2}, 10);
  CHECK(counts.satisfied <= at_most(counts.cells, 0.025));
  CHECK(counts.undecided >= 0.5 * counts.cells);
}

}  // namespace hockney::verdicts
