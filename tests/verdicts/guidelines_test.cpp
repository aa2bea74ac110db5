#include <catch2/catch.hpp>
#include <cstdint>

#include "tests/support/guideline_launches.hpp"
#include "verdicts/guidelines.hpp"

namespace hockney::verdicts {
namespace {

std::vector<Compliance> compliances(const GuidelineSet& set) {
  std::vector<Compliance> all;
  for (const GuidelineVerdict& verdict : set.verdicts) all.push_back(verdict.verdict);
  return all;
}

/// One cell whose log ratios are these.
GuidelineCells cell_of(const std::vector<double>& logs, double clock_seconds = 0) {
  GuidelineCell cell{.guideline = slow_not_above_fast(),
                     .campaign = "",
                     .setting = "",
                     .left = simple_point("slow", 8),
                     .right = simple_point("fast", 8),
                     .pairs = {}};
  for (const double log : logs) {
    cell.pairs.push_back({.launch = static_cast<int>(cell.pairs.size()),
                          .left_seconds = 1e-6 * std::exp(log),
                          .right_seconds = 1e-6,
                          .clock_seconds = clock_seconds});
  }
  return {.cells = {cell}, .unmeasured = {}};
}

GuidelineVerdict judge_logs(const std::vector<double>& logs, double clock_seconds = 0,
                            const GuidelineOptions& options = {}) {
  return judge_cells(cell_of(logs, clock_seconds), options).verdicts.front();
}

}  // namespace

TEST_CASE("what is more than five per cent slower in every launch is violated, and by how much") {
  const auto set = judge_guidelines(exact_launches({2, 1.051, 1.049, 1, 0.5}, 12));
  using enum Compliance;
  CHECK(compliances(set) ==
        std::vector<Compliance>{violated, violated, satisfied, satisfied, satisfied});
  const GuidelineVerdict& twice = set.verdicts.front();
  CHECK(twice.ratio == Approx(2).epsilon(1e-12));
  REQUIRE(twice.ratio_interval);
  CHECK(twice.ratio_interval->low == Approx(2).epsilon(1e-12));
  CHECK(twice.ratio_interval->high == Approx(2).epsilon(1e-12));
  CHECK(twice.p == Approx(1.0 / 4096));
  // With every sign turned, what is far below the limit is as far above it.
  CHECK(twice.p_adjusted == Approx(2.0 / 4096));
  CHECK(twice.cell.pairs.size() == 12);
  CHECK(twice.left.median_seconds == Approx(2 * 15.5e-6));
  CHECK(twice.right.median_seconds == Approx(15.5e-6));
  CHECK(set.verdicts[2].p == 1);
}

TEST_CASE("another delta moves the border") {
  const auto records = exact_launches({1.15, 1.25}, 12);
  using enum Compliance;
  CHECK(compliances(judge_guidelines(records, {.delta = 0.2})) ==
        std::vector<Compliance>{satisfied, violated});
  CHECK(compliances(judge_guidelines(records, {.delta = 0})) ==
        std::vector<Compliance>{violated, violated});
}

TEST_CASE("the family decides how many launches are needed, and an undecided cell says so") {
  using enum Compliance;
  // One cell: 2^-5 is below 0.05, 2^-4 is not.
  CHECK(compliances(judge_guidelines(exact_launches({2}, 5))) == std::vector{violated});
  const auto four = judge_guidelines(exact_launches({2}, 4));
  CHECK(compliances(four) == std::vector{undecided});
  CHECK(four.verdicts[0].doubt == Doubt::too_few_launches);
  CHECK(four.verdicts[0].launches_needed == 5);
  CHECK_FALSE(four.verdicts[0].smallest_visible_ratio);
  CHECK(compliances(judge_guidelines(exact_launches({2, 2, 2, 2}, 5))) == std::vector(4, violated));
  // By Holm, four cells: 4 x 2^-6 is above 0.05, 4 x 2^-7 is below.
  const GuidelineOptions by_holm{.correction = Correction::holm};
  const auto six = judge_guidelines(exact_launches({2, 2, 2, 2}, 6), by_holm);
  CHECK(compliances(six) == std::vector(4, undecided));
  CHECK(six.verdicts[0].launches_needed == 7);
  CHECK(compliances(judge_guidelines(exact_launches({2, 2, 2, 2}, 7), by_holm)) ==
        std::vector(4, violated));
}

TEST_CASE("equivalence needs six launches, whose interval there is") {
  using enum Compliance;
  CHECK(compliances(judge_guidelines(exact_launches({1}, 5))) == std::vector{undecided});
  CHECK(compliances(judge_guidelines(exact_launches({1}, 6))) == std::vector{satisfied});
}

TEST_CASE("a difference that the clocks cannot see is no violation") {
  const std::vector<double> twice(12, std::log(2.0));  // 2 us instead of 1 us
  CHECK(judge_logs(twice, 0.99e-6).verdict == Compliance::violated);
  const GuidelineVerdict unseen = judge_logs(twice, 1.01e-6);
  CHECK(unseen.verdict == Compliance::undecided);
  CHECK(unseen.doubt == Doubt::clock);
  CHECK(unseen.clock_seconds == Approx(1.01e-6));
}

TEST_CASE("the clock of a record is its resolution and what its ranks are apart") {
  auto records = exact_launches({2}, 8);
  for (Record& record : records) {
    record.clock.resolution_seconds = 1e-6;
    record.sync = Synchronisation{.scheme = "hca3", .bound_seconds = 3e-6};
    record.sync->end_error_seconds = 5e-6;
  }
  CHECK(judge_guidelines(records).verdicts[0].clock_seconds == Approx(6e-6));
}

TEST_CASE("a shift to the smallest visible ratio is found, and one to less is not") {
  // By ranks to the digit; by exchanging launches as near as Student's t is.
  const auto [correction, above, below] = GENERATE(table<Correction, double, double>(
      {{Correction::holm, 1.0001, 0.9999}, {Correction::max_t, 1.03, 0.97}}));
  const GuidelineOptions options{.correction = correction};
  Noise noise(7);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> logs;
    for (int launch = 0; launch < 10; ++launch) logs.push_back(0.1 * noise.normal());
    const GuidelineVerdict verdict = judge_logs(logs, 0, options);
    REQUIRE(verdict.smallest_visible_ratio);
    const auto at = [&](double ratio) {
      std::vector<double> shifted = logs;
      for (double& log : shifted) log += std::log(ratio / verdict.ratio);
      return judge_logs(shifted, 0, options).verdict;
    };
    CHECK(at(*verdict.smallest_visible_ratio * above) == Compliance::violated);
    CHECK(at(*verdict.smallest_visible_ratio * below) != Compliance::violated);
  }
}

TEST_CASE("launches that disagree leave a cell undecided") {
  const GuidelineVerdict verdict = judge_logs({-0.4, 0.5, -0.2, 0.3, 0.1, -0.1, 0.4, -0.3});
  CHECK(verdict.verdict == Compliance::undecided);
  CHECK(verdict.doubt == Doubt::spread);
}

TEST_CASE("the interval beside a verdict lies above the border exactly where p says so") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto records =
        synthetic_guidelines({.cells = 8, .ratio = 1.09, .launches = 8, .samples = 5}, seed);
    const GuidelineSet set = judge_guidelines(records);
    for (const GuidelineVerdict& one : set.verdicts) {
      REQUIRE(one.family_interval);
      CHECK(one.family_interval->low <= one.ratio);
      CHECK(one.family_interval->high >= one.ratio);
      const double limit = 1 + set.options.delta;
      if (one.p_adjusted <= set.options.alpha) {
        CHECK(one.family_interval->low >= limit * (1 - 1e-9));
      } else {
        CHECK(one.family_interval->low <= limit * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("alpha and delta must make sense") {
  const auto records = exact_launches({1}, 6);
  CHECK_THROWS_WITH(judge_guidelines(records, {.alpha = 0}), Catch::Contains("alpha is 0"));
  CHECK_THROWS_WITH(judge_guidelines(records, {.delta = -1}), Catch::Contains("delta is -1"));
}

}  // namespace hockney::verdicts
