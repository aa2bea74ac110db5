#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verdicts/health/check.hpp"

namespace hockney {

/// A night that counts, ready for the detector.
struct CountedNight {
  const NightlyValue* night = nullptr;  ///< of the series, which must outlive it
  NightInput input;
};

/// The nights of a series up to `today` that count: outside of maintenance, not before the last
/// accepted shift of the series. InputError for days that do not ascend or values that are not
/// positive and finite, in any night.
std::vector<CountedNight> counted_nights(const NightlySeries& series, const CheckOptions& options,
                                         std::int64_t today);

}  // namespace hockney
