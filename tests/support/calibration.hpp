#pragma once

#include <cstdint>

#include "tests/support/two_sides.hpp"
#include "verdicts/compare.hpp"

namespace hockney {

/// How the verdicts on many campaigns whose truth is known came out.
struct Calibration {
  int campaigns = 0;
  int alarmed = 0;      ///< campaigns with a verdict on any of their points
  int comparisons = 0;  ///< over all campaigns
  int faster = 0;
  int slower = 0;
  int covered = 0;  ///< ratio intervals that hold the truth
};

inline void count(Calibration& counts, const CompareSet& set, double ratio) {
  const int before = counts.faster + counts.slower;
  for (const Comparison& row : set.comparisons) {
    ++counts.comparisons;
    counts.faster += row.verdict == Verdict::faster;
    counts.slower += row.verdict == Verdict::slower;
    const auto& interval = row.ratio_interval;
    counts.covered += interval && interval->low <= ratio && ratio <= interval->high;
  }
  ++counts.campaigns;
  counts.alarmed += counts.faster + counts.slower > before;
}

/// Compares campaigns with seeds first_seed, first_seed + 1, ...
inline Calibration calibrate(const TwoSides& truth, const CompareOptions& options, int campaigns,
                             std::uint64_t first_seed = 1) {
  Calibration counts;
  for (int trial = 0; trial < campaigns; ++trial) {
    const Sides sides = synthetic_sides(truth, first_seed + static_cast<std::uint64_t>(trial));
    count(counts, compare(sides.a, sides.b, options), truth.ratio);
  }
  return counts;
}

}  // namespace hockney
