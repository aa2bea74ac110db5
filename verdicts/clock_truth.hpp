#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {

/// How often something happened, with the exact interval of the probability (Clopper and Pearson
/// 1934) at 95 %, as if trials were independent; nullopt without trials.
struct Rate {
  int hits = 0;
  int trials = 0;

  [[nodiscard]] std::optional<double> share() const;
  [[nodiscard]] std::optional<Interval> interval() const;

  friend bool operator==(const Rate&, const Rate&) = default;
};

/// What clock synchronisation found between ranks that read the same clock, where the truth is 0.
struct ClockTruth {
  Rate within;  ///< findings whose |estimate| does not exceed the bound
  std::optional<double> median_error_seconds;   ///< |estimate|; of those that found anything
  std::optional<double> largest_error_seconds;  ///< the same
  std::optional<double> median_bound_seconds;   ///< the same

  friend bool operator==(const ClockTruth&, const ClockTruth&) = default;
};

ClockTruth judge_clock(std::span<const ClockSelfTest> findings);

/// The findings of all launches together, or why there are none.
struct ClockVerdict {
  std::optional<ClockTruth> truth;
  std::string reason;  ///< why there is none; empty otherwise

  friend bool operator==(const ClockVerdict&, const ClockVerdict&) = default;
};

ClockVerdict judge_clocks(std::span<const Record> launches);

}  // namespace hockney::verdicts
