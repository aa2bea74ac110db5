#pragma once

#include <compare>
#include <cstdint>

namespace hockney {

/// A number that knows its unit: quantities of different units do not mix, and none converts to a
/// bare number unless `value` is asked for.
template <class Unit, class Number>
struct Quantity {
  Number value{};

  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;
  constexpr Quantity operator+(Quantity other) const { return {value + other.value}; }
  constexpr Quantity operator-(Quantity other) const { return {value - other.value}; }
  constexpr Quantity operator*(Number factor) const { return {value * factor}; }
  constexpr Quantity operator/(Number divisor) const { return {value / divisor}; }
  /// Ratio of two quantities of one unit: a bare number.
  constexpr Number operator/(Quantity other) const { return value / other.value; }
};

using Seconds = Quantity<struct SecondsUnit, double>;
using Bytes = Quantity<struct BytesUnit, std::int64_t>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit, double>;
using SecondsPerByte = Quantity<struct SecondsPerByteUnit, double>;

constexpr BytesPerSecond operator/(Bytes amount, Seconds time) {
  return {static_cast<double>(amount.value) / time.value};
}

constexpr Seconds operator*(SecondsPerByte slope, Bytes amount) {
  return {slope.value * static_cast<double>(amount.value)};
}

}  // namespace hockney
