#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "verdicts/health/check.hpp"

namespace hockney {

/// How the nights of one series differ when nothing changes.
struct SteadyNights {
  std::vector<double> deviations;  ///< [log ratio] positive: worse; in order of time
  std::size_t block = 1;           ///< nights that a bootstrap must keep together
  double noise = 0;                ///< robust standard deviation [log ratio]
  double autocorrelation = 0;      ///< of nights next to each other
};

/// The nights of a series that count, without the changes of level that lasted: those that were
/// adopted, and one that is open since `adopt` nights. What went away by itself stays, because that
/// is what false alarms are made of. nullopt when twice a baseline's nights are not left.
std::optional<SteadyNights> steady_nights(const NightlySeries& series, const CheckOptions& options,
                                          std::int64_t today);

}  // namespace hockney
