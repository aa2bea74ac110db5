#pragma once

#include <optional>
#include <string>

namespace hockney {

/// What the algorithm finds between ranks that read the same clock, where the truth is 0: the worst
/// of them, measured by its bound.
struct ClockSelfTest {
  double estimate_seconds = 0;
  double bound_seconds = 0;
  bool passed = false;  ///< |estimate| <= bound for every rank

  friend bool operator==(const ClockSelfTest&, const ClockSelfTest&) = default;
};

/// How the clocks of the ranks were brought together.
struct Synchronisation {
  std::string scheme;        ///< "same-clock", "hca3" or "simulated"
  double bound_seconds = 0;  ///< no rank was farther from rank 0's clock, when it was synchronised
  std::optional<ClockSelfTest> self_test;   ///< nullopt where no two ranks read the same clock
  bool slope_used = false;                  ///< whether any rank corrects its drift
  std::optional<double> end_error_seconds;  ///< largest difference found after measuring
  std::optional<double> end_bound_seconds;  ///< how far that itself can be wrong
  double duration_seconds = 0;              ///< of synchronising

  friend bool operator==(const Synchronisation&, const Synchronisation&) = default;
};

}  // namespace hockney
