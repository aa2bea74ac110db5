#include "verdicts/clock_truth.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <vector>

namespace hockney::verdicts {

std::optional<double> Rate::share() const {
  if (trials == 0) return std::nullopt;
  return static_cast<double>(hits) / trials;
}

std::optional<Interval> Rate::interval() const {
  if (trials == 0) return std::nullopt;
  using Binomial = boost::math::binomial_distribution<double>;
  constexpr double tail = 0.025;
  return Interval{Binomial::find_lower_bound_on_p(trials, hits, tail),
                  Binomial::find_upper_bound_on_p(trials, hits, tail), 1 - 2 * tail};
}

namespace {

/// The bound is judged here, not by what the record says of it.
bool is_within(const ClockSelfTest& found) {
  return found.passed && std::abs(found.estimate_seconds) <= found.bound_seconds;
}

/// Not passed and within its bound nevertheless is one that contradicted itself.
bool found_something(const ClockSelfTest& found) {
  return found.passed || std::abs(found.estimate_seconds) > found.bound_seconds;
}

std::string why_none(std::span<const Record> launches) {
  const auto all = [&](auto is_so) { return std::ranges::all_of(launches, is_so); };
  if (all([](const Record& launch) { return !launch.sync; })) {
    return "the records say nothing of clocks";
  }
  if (all([](const Record& launch) { return launch.sync && launch.sync->scheme == "simulated"; })) {
    return "all ranks of a simulator have one clock";
  }
  if (all([](const Record& launch) { return !launch.sync || !launch.sync->self_test; })) {
    return "no two ranks read the same clock, so the truth is not known";
  }
  return "the launches made no --clock-checks";
}

}  // namespace

ClockTruth judge_clock(std::span<const ClockSelfTest> findings) {
  ClockTruth truth;
  std::vector<double> errors;
  std::vector<double> bounds;
  for (const ClockSelfTest& found : findings) {
    ++truth.within.trials;
    if (is_within(found)) ++truth.within.hits;
    if (!found_something(found)) continue;
    errors.push_back(std::abs(found.estimate_seconds));
    bounds.push_back(found.bound_seconds);
  }
  if (errors.empty()) return truth;
  truth.median_error_seconds = median(errors);
  truth.largest_error_seconds = std::ranges::max(errors);
  truth.median_bound_seconds = median(bounds);
  return truth;
}

ClockVerdict judge_clocks(std::span<const Record> launches) {
  std::vector<ClockSelfTest> findings;
  for (const Record& launch : launches) {
    if (!launch.sync || !launch.sync->checks) continue;
    findings.insert(findings.end(), launch.sync->checks->begin(), launch.sync->checks->end());
  }
  if (findings.empty()) return {.truth = std::nullopt, .reason = why_none(launches)};
  return {.truth = judge_clock(findings), .reason = {}};
}

}  // namespace hockney::verdicts
