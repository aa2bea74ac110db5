#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/quantities.hpp"
#include "models/fit.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney {

/// A truth and a grid for the coverage study.
struct Scenario {
  std::string name;
  SyntheticCampaign campaign;
};

/// One segment; an eager limit; fast boxes and an eager limit; a switch that costs little.
inline std::vector<Scenario> coverage_scenarios() {
  const auto octaves = parse_sizes("1:4M");
  const auto quarters = parse_sizes("0,16:4M:4");
  return {{"one segment", {octaves, {{0, 1e-6, 1e-10}}}},
          {"eager limit", {octaves, {{0, 0.5e-6, 2.5e-10}, {4097, 2e-6, 1e-10}}}},
          {"three protocols",
           {quarters, {{0, 0.25e-6, 3e-10}, {257, 0.45e-6, 2e-10}, {4097, 2e-6, 0.8e-10}}}},
          {"small step", {quarters, {{0, 1e-6, 2e-10}, {8193, 1.6e-6, 1.5e-10}}}}};
}

/// How often the truth was met over many trials.
struct Coverage {
  struct OfSegment {
    int alpha = 0;           ///< trials whose interval of alpha holds the truth
    int beta = 0;            ///< the same of beta
    double alpha_error = 0;  ///< sum over trials of |estimate/truth - 1|
    double beta_error = 0;
  };

  int trials = 0;
  std::vector<OfSegment> segments;   ///< per true segment
  std::vector<int> breakpoints;      ///< per true breakpoint: found within one grid step
  std::map<std::size_t, int> found;  ///< trials by number of segments found
};

inline bool holds(const std::optional<Interval>& interval, double value) {
  return interval && interval->low <= value && value <= interval->high;
}

/// The fitted segment that a true one is judged by: the one that holds its geometric middle.
inline const models::Segment& matching(const models::Fit& fit, double from, double to) {
  const double middle = std::sqrt(std::max(from, 1.0) * to);
  const models::Segment* match = &fit.segments.front();
  for (const models::Segment& segment : fit.segments) {
    if (static_cast<double>(segment.from.value) <= middle) match = &segment;
  }
  return *match;
}

/// Whether a fitted breakpoint lies in the grid interval of the true one or in a neighbouring one.
inline bool found_within_one_step(const models::Fit& fit, const std::vector<Bytes>& sizes,
                                  double from) {
  const auto place = [&](double bytes) {
    return std::ranges::count_if(
        sizes, [&](Bytes size) { return static_cast<double>(size.value) < bytes; });
  };
  return std::ranges::any_of(fit.breakpoints, [&](const models::FittedBreakpoint& breakpoint) {
    return std::abs(place(static_cast<double>(breakpoint.before.value)) - place(from)) <= 1;
  });
}

inline void count_trial(Coverage& coverage, const SyntheticCampaign& campaign,
                        const models::Fit& fit) {
  ++coverage.trials;
  ++coverage.found[fit.segments.size()];
  for (std::size_t k = 0; k < campaign.truth.size(); ++k) {
    const TrueSegment& truth = campaign.truth[k];
    const bool last = k + 1 == campaign.truth.size();
    const double to =
        last ? static_cast<double>(campaign.sizes.back().value) : campaign.truth[k + 1].from_bytes;
    const models::Segment& segment = matching(fit, truth.from_bytes, to);
    auto& counts = coverage.segments[k];
    counts.alpha += holds(segment.alpha_seconds, truth.alpha_seconds);
    counts.beta += holds(segment.beta_seconds_per_byte, truth.beta_seconds_per_byte);
    counts.alpha_error += std::abs(segment.line.alpha_seconds / truth.alpha_seconds - 1);
    counts.beta_error +=
        std::abs(segment.line.beta_seconds_per_byte / truth.beta_seconds_per_byte - 1);
    if (!last) coverage.breakpoints[k] += found_within_one_step(fit, campaign.sizes, to);
  }
}

/// Fits `trials` campaigns of the scenario with seeds from `first_seed` on.
inline Coverage study_coverage(const SyntheticCampaign& campaign, int trials,
                               std::uint64_t first_seed) {
  Coverage coverage{.segments = std::vector<Coverage::OfSegment>(campaign.truth.size()),
                    .breakpoints = std::vector<int>(campaign.truth.size() - 1)};
  for (int trial = 0; trial < trials; ++trial) {
    const auto seed = first_seed + static_cast<std::uint64_t>(trial);
    const models::Curves curves = models::collect_curves(synthetic_records(campaign, seed));
    count_trial(coverage, campaign, std::get<models::Fit>(fit_curve(curves.curves.front())));
  }
  return coverage;
}

}  // namespace hockney
