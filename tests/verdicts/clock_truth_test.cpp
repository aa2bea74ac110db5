#include "verdicts/clock_truth.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/launches.hpp"

namespace hockney::verdicts {
namespace {

ClockSelfTest found(double estimate, double bound, bool passed = true) {
  return {.estimate_seconds = estimate, .bound_seconds = bound, .passed = passed};
}

const ClockSelfTest nothing_found{};

Record launch_with(const std::string& scheme, std::optional<ClockSelfTest> self_test,
                   std::optional<std::vector<ClockSelfTest>> checks) {
  Record record = launch_of("default");
  record.sync = Synchronisation{
      .scheme = scheme, .self_test = std::move(self_test), .checks = std::move(checks)};
  return record;
}

std::string reason_of(const Record& record) { return judge_clocks(std::vector{record}).reason; }

}  // namespace

TEST_CASE("syncs are within their bound or not, whatever their sign") {
  const std::vector<ClockSelfTest> findings{found(1, 2), found(-3, 3), found(4, 5), found(-8, 7),
                                            found(6, 9)};
  const ClockTruth truth = judge_clock(findings);
  CHECK(truth.within == Rate{4, 5});
  CHECK(truth.median_error_seconds == 4);
  CHECK(truth.largest_error_seconds == 8);
  CHECK(truth.median_bound_seconds == 5);
}

TEST_CASE("the word of a record that a sync has passed is not enough") {
  CHECK(judge_clock(std::vector{found(-8, 7, true)}).within == Rate{0, 1});
  CHECK(judge_clock(std::vector{found(8, 7, false)}).within == Rate{0, 1});
}

TEST_CASE("a sync that contradicted itself counts, and has no error") {
  const ClockTruth truth = judge_clock(std::vector{nothing_found, found(2, 4), found(4, 8)});
  CHECK(truth.within == Rate{2, 3});
  CHECK(truth.median_error_seconds == 3);
  CHECK(truth.median_bound_seconds == 6);
  const ClockTruth none = judge_clock(std::vector{nothing_found});
  CHECK(none.within == Rate{0, 1});
  CHECK_FALSE(none.median_error_seconds);
  CHECK_FALSE(none.largest_error_seconds);
  CHECK_FALSE(none.median_bound_seconds);
}

TEST_CASE("a thousand syncs within their bound leave at most 0.37 % outside") {
  const std::vector<ClockSelfTest> findings(1000, found(1, 2));
  const ClockTruth truth = judge_clock(findings);
  CHECK(truth.within == Rate{1000, 1000});
  CHECK(truth.within.interval()->low == Approx(std::pow(0.025, 1.0 / 1000)));
  CHECK(truth.within.interval()->high == 1);
}

TEST_CASE("the syncs of all launches are judged together") {
  const std::vector<Record> launches{
      launch_with("same-clock", found(0, 1), std::vector{found(1, 2), found(3, 2)}),
      launch_with("same-clock", found(0, 1), std::nullopt),
      launch_with("same-clock", found(0, 1), std::vector{found(-5, 6)})};
  const ClockVerdict verdict = judge_clocks(launches);
  REQUIRE(verdict.truth);
  CHECK(verdict.reason.empty());
  CHECK(verdict.truth->within == Rate{2, 3});
  CHECK(verdict.truth->median_error_seconds == 3);
  CHECK(verdict.truth->largest_error_seconds == 5);
}

TEST_CASE("without syncs there is a reason, not a 0") {
  const std::optional<std::vector<ClockSelfTest>> none;
  CHECK_FALSE(judge_clocks(std::vector{launch_of("default")}).truth);
  CHECK(reason_of(launch_of("default")) == "the records say nothing of clocks");
  CHECK(reason_of(launch_with("simulated", std::nullopt, none)) ==
        "all ranks of a simulator have one clock");
  CHECK(reason_of(launch_with("hca3", std::nullopt, none)) ==
        "no two ranks read the same clock, so the truth is not known");
  CHECK(reason_of(launch_with("same-clock", found(0, 1), none)) ==
        "the launches made no --clock-checks");
}

}  // namespace hockney::verdicts
