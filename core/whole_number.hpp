#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace hockney {

/// The whole number nearest to `number`; the largest or smallest of its type beyond these, and 0 of
/// what is no number. A cast alone is undefined there.
template <std::integral Whole>
Whole whole_number(double number) {
  constexpr Whole least = std::numeric_limits<Whole>::min();
  constexpr Whole most = std::numeric_limits<Whole>::max();
  if (std::isnan(number)) return 0;
  // The largest of 64 bits is no double: what rounds up to it is beyond.
  if (number >= static_cast<double>(most)) return most;
  if (number <= static_cast<double>(least)) return least;
  return static_cast<Whole>(std::round(number));
}

}  // namespace hockney
