#pragma once

#include <optional>
#include <vector>

#include "core/statistics.hpp"

namespace hockney {

/// High quantiles of the samples that count. Each is nullopt when the launch has not the
/// independent samples (effective_sample_size) to bound it from above: 29 for p90, 299 for p99,
/// 2995 for p999. Where samples are batches, these are quantiles of batches.
struct TailQuantiles {
  std::optional<double> p90_seconds;
  std::optional<double> p99_seconds;
  std::optional<double> p999_seconds;

  friend bool operator==(const TailQuantiles&, const TailQuantiles&) = default;
};

/// Samples far outside of the bulk, which stay among the samples: beyond the third quartile plus
/// three times the distance between the quartiles, and at least a tenth above it.
struct Outliers {
  double limit_seconds = 0;
  int count = 0;                   ///< of the samples that count
  std::vector<double> at_seconds;  ///< when the blocks that met one began, or empty

  friend bool operator==(const Outliers&, const Outliers&) = default;
};

/// What one series says about this one launch. Median, interval, tails, outliers and effective
/// samples are those of the blocks that count (core/counting.hpp), minimum and maximum those of
/// all. `within_seconds` is the interval of the median inside the launch: a diagnostic, never the
/// uncertainty of the latency (that needs launches).
struct Summary {
  std::optional<double> median_seconds;
  std::optional<double> minimum_seconds;
  std::optional<double> maximum_seconds;
  std::optional<Interval> within_seconds;
  std::optional<double> effective_samples;
  TailQuantiles tails;
  std::optional<Outliers> outliers;    ///< nullopt for fewer than four samples
  std::optional<double> skew_seconds;  ///< median over blocks
  std::optional<double> page_faults;   ///< of one operation, median over the blocks that count
  std::optional<int>
      undisturbed_blocks;  ///< whose samples count; nullopt where no control was taken

  friend bool operator==(const Summary&, const Summary&) = default;
};

}  // namespace hockney
