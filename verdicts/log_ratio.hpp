#pragma once

#include <cmath>
#include <optional>

#include "core/statistics.hpp"

namespace hockney {

/// The interval of a ratio from that of its logarithm; of the same level.
inline std::optional<Interval> ratio_interval(const std::optional<Interval>& of_logarithm) {
  if (!of_logarithm) return std::nullopt;
  return Interval{std::exp(of_logarithm->low), std::exp(of_logarithm->high), of_logarithm->level};
}

}  // namespace hockney
