#pragma once

#include <algorithm>
#include <ostream>
#include <span>

#include "verdicts/self_test.hpp"

namespace hockney::benchmarks {

/// Prints what the studies of clocks found; whether all were within their bounds.
inline bool print_findings(std::ostream& out, std::span<const ClockSelfTest> findings,
                           double seconds_of_one) {
  constexpr double nanoseconds = 1e9;
  const verdicts::ClockTruth truth = verdicts::judge_clock(findings);
  double largest_bound = 0;
  for (const ClockSelfTest& found : findings) {
    largest_bound = std::max(largest_bound, found.bound_seconds);
  }
  out << "within their bound: " << truth.within.hits << " of " << truth.within.trials << '\n'
      << "|error|: median " << truth.median_error_seconds.value_or(-1) * nanoseconds
      << " ns, largest " << truth.largest_error_seconds.value_or(-1) * nanoseconds << " ns\n"
      << "bound: median " << truth.median_bound_seconds.value_or(-1) * nanoseconds
      << " ns, largest " << largest_bound * nanoseconds << " ns\n"
      << "time of one: " << seconds_of_one * 1e6 << " us\n";
  return truth.within.trials > 0 && truth.within.hits == truth.within.trials;
}

}  // namespace hockney::benchmarks
