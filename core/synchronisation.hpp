#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hockney {

/// What the algorithm finds between two ranks that read the same clock, where the truth is 0. One
/// that contradicted itself finds nothing: estimate and bound are 0, and it has not passed.
struct ClockSelfTest {
  double estimate_seconds = 0;
  double bound_seconds = 0;
  bool passed = false;  ///< |estimate| <= bound

  friend bool operator==(const ClockSelfTest&, const ClockSelfTest&) = default;
};

/// How the clocks of the ranks were brought together.
struct Synchronisation {
  std::string scheme;        ///< "same-clock", "hca3" or "simulated"
  double bound_seconds = 0;  ///< no rank was farther from rank 0's clock, when it was synchronised
  std::optional<ClockSelfTest> self_test;   ///< the worst; nullopt where no ranks share a clock
  bool slope_used = false;                  ///< whether any rank corrects its drift
  std::optional<double> end_error_seconds;  ///< largest difference found after measuring
  std::optional<double> end_bound_seconds;  ///< how far that itself can be wrong
  double duration_seconds = 0;              ///< of synchronising
  /// Every finding of synchronisations made to test the algorithm; nullopt where none was made, or
  /// no two ranks read the same clock.
  std::optional<std::vector<ClockSelfTest>> checks;

  friend bool operator==(const Synchronisation&, const Synchronisation&) = default;
};

}  // namespace hockney
