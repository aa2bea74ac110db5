#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/record.hpp"
#include "verdicts/rate.hpp"

namespace hockney {

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

}  // namespace hockney
