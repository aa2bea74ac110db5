#pragma once

#include <charconv>
#include <chrono>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

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

/// "64", "4K", "2M", "1G" (powers of two, optional B or iB) to bytes; InputError on anything else.
Bytes parse_bytes(std::string_view text);

/// The shortest exact spelling that parse_bytes reads back: 4096 is "4K", 4097 is "4097".
std::string format_bytes(Bytes amount);

/// A list of sizes in ascending order without repetition:
///   "0,8,1K"    these sizes
///   "1:4M"      powers of two from 1 to 4 MiB; a range that starts at 0 holds 0 and then 1, 2, 4
///   ... "1:4M:8"    eight sizes an octave, on a logarithmic grid
/// Parts are joined by commas. InputError on malformed, negative or descending parts.
std::vector<Bytes> parse_sizes(std::string_view text);

/// A whole number of at least `least`; InputError naming `what` (an option or a key) otherwise.
template <class Number>
Number parse_count(std::string_view what, std::string_view text, Number least) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range && !text.starts_with('-')) {
    throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                      "it is too large",
                      "give at most " + std::to_string(std::numeric_limits<Number>::max())});
  }
  if (error != std::errc() || end != text.data() + text.size() || number < least) {
    throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                      "it must be a whole number of at least " + std::to_string(least),
                      "see --help"});
  }
  return number;
}

/// "5%" and "0.05" are one twentieth. InputError naming `what` on anything else, and on what is not
/// between 0 and 1, both excluded.
double parse_fraction(std::string_view what, std::string_view text);

/// A share for people, with two digits: "5 %", "0.25 %".
std::string format_fraction(double share);

// Days are counted from 1970-01-01, UTC.

inline constexpr std::int64_t seconds_a_day = 86'400;

/// "2026-11-22"; the year of a day before the year 0 or after 9999 has more digits.
std::string day_text(std::int64_t day);

/// The day of "2026-11-22"; InputError on anything else, and on days that no calendar has.
std::int64_t parse_day(std::string_view text);

/// Seconds since 1970 of a moment as documents write it, "2026-11-22T03:04:05Z", a fraction of a
/// second passed over; InputError on anything else, and on times that no calendar or clock has.
std::int64_t parse_utc(std::string_view text);

/// The day of such a moment.
std::int64_t day_of_utc(std::string_view moment);

/// The day it is now.
std::int64_t day_now();

/// The latest moment at which a launch can have begun [s since 1970]: a clock that is more than a
/// day ahead of this one is wrong.
std::int64_t latest_moment();

/// The day of that moment: nights behind it lie in the future.
std::int64_t latest_day();

/// "60" and "60s" are sixty seconds; "500ms", "1.5m", "2h" as they read. InputError on anything
/// else, on negative durations and on those of more than a year.
Seconds parse_duration(std::string_view text);

/// A duration for people, rounded to what matters: "0.42 s", "12 s", "3 min 20 s", "2 h 05 min".
std::string format_duration(Seconds duration);

/// Wall time that has passed since a moment.
Seconds elapsed_since(std::chrono::steady_clock::time_point moment);

/// A moment as "2026-03-01T12:34:56Z" (ISO 8601).
std::string utc_text(std::time_t moment);

/// Now, in that form.
std::string utc_now();

/// Now, as "20260301T123456Z", fit for file names.
std::string utc_stamp();

}  // namespace hockney
