#pragma once

#include <cstdint>

#include "tests/support/two_sides.hpp"
#include "verdicts/compare.hpp"

namespace hockney {

/// How the verdicts on many campaigns whose truth is known came out.
struct Calibration {
  int campaigns = 0;
  int alarmed = 0;      ///< campaigns with a wrong verdict on any of their points
  int comparisons = 0;  ///< over all campaigns
  int faster = 0;
  int slower = 0;
  int covered = 0;   ///< ratio intervals that hold the truth
  int affected = 0;  ///< comparisons of points whose true ratio is not 1
  int found = 0;     ///< of these, with the right verdict
};

/// Verdicts on points in the order of their sizes.
inline void count(Calibration& counts, const verdicts::CompareSet& set, const TwoSides& truth) {
  bool is_alarmed = false;
  for (std::size_t i = 0; i < set.comparisons.size(); ++i) {
    const verdicts::Comparison& row = set.comparisons[i];
    const double ratio = true_ratio(truth, i);
    const bool is_right = ratio > 1 ? row.verdict == verdicts::Verdict::slower
                                    : ratio < 1 && row.verdict == verdicts::Verdict::faster;
    ++counts.comparisons;
    counts.faster += row.verdict == verdicts::Verdict::faster;
    counts.slower += row.verdict == verdicts::Verdict::slower;
    counts.affected += ratio != 1;
    counts.found += is_right;
    is_alarmed = is_alarmed || (row.verdict != verdicts::Verdict::no_evidence && !is_right);
    const auto& interval = row.ratio_interval;
    counts.covered += interval && interval->low <= ratio && ratio <= interval->high;
  }
  ++counts.campaigns;
  counts.alarmed += is_alarmed;
}

/// Compares campaigns with seeds first_seed, first_seed + 1, ..., each with all of the options.
inline std::vector<Calibration> calibrate_each(const TwoSides& truth,
                                               const std::vector<verdicts::CompareOptions>& options,
                                               int campaigns, std::uint64_t first_seed = 1) {
  std::vector<Calibration> counts(options.size());
  for (int trial = 0; trial < campaigns; ++trial) {
    const Sides sides = synthetic_sides(truth, first_seed + static_cast<std::uint64_t>(trial));
    for (std::size_t i = 0; i < options.size(); ++i) {
      count(counts[i], compare(sides.a, sides.b, options[i]), truth);
    }
  }
  return counts;
}

inline Calibration calibrate(const TwoSides& truth, const verdicts::CompareOptions& options,
                             int campaigns, std::uint64_t first_seed = 1) {
  return calibrate_each(truth, {options}, campaigns, first_seed).front();
}

/// The same of `values` values of an axis, each compared with one base; one family over all. Those
/// with an even number have the ratio.
inline Calibration calibrate_axis(const TwoSides& truth, const verdicts::CompareOptions& options,
                                  int values, int campaigns, std::uint64_t first_seed = 1) {
  Calibration counts;
  for (int trial = 0; trial < campaigns; ++trial) {
    Noise noise(first_seed + static_cast<std::uint64_t>(trial));
    std::vector<std::vector<Record>> settings(static_cast<std::size_t>(values) + 1);
    for (int launch = 0; launch < truth.campaign.launches; ++launch) {
      const double block = std::exp(truth.block_spread * noise.normal());
      for (std::size_t i = 0; i < settings.size(); ++i) {
        std::vector<double> factors(truth.campaign.sizes.size(),
                                    shared_factor(truth, block, noise));
        for (std::size_t k = 0; k < factors.size() && i > 0 && i % 2 == 0; ++k) {
          factors[k] *= true_ratio(truth, k);
        }
        settings[i].push_back(synthetic_launch(
            truth.campaign, {"synthetic", std::to_string(i), launch}, factors, noise));
      }
    }
    std::vector<verdicts::SideRecords> family;
    for (std::size_t i = 1; i < settings.size(); ++i) {
      family.push_back({.a = settings[0], .b = settings[i]});
    }
    Calibration one;
    const std::vector<verdicts::CompareSet> sets = compare_family(family, options);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      TwoSides of_value = truth;
      if (i % 2 == 0) of_value.ratio = 1;
      count(one, sets[i], of_value);
    }
    ++counts.campaigns;
    counts.alarmed += one.alarmed > 0;
    counts.comparisons += one.comparisons;
    counts.affected += one.affected;
    counts.found += one.found;
    counts.covered += one.covered;
  }
  return counts;
}

}  // namespace hockney
