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

/// `number` rounded to the nearest whole number; the type's largest or smallest value beyond its
/// range, and 0 for NaN. A cast alone is undefined in these cases.
template <std::integral Whole>
Whole whole_number(double number) {
  constexpr Whole least = std::numeric_limits<Whole>::min();
  constexpr Whole most = std::numeric_limits<Whole>::max();
  if (std::isnan(number)) return 0;
  // The largest 64-bit number is no double, and its double is one too large: hence >=.
  if (number >= static_cast<double>(most)) return most;
  if (number <= static_cast<double>(least)) return least;
  return static_cast<Whole>(std::round(number));
}

/// A number with its unit in its type. Different units do not mix; only `value` gives the bare
/// number.
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

/// Converts "64", "4K", "2M", "1G" (powers of two, optional B or iB) to bytes; InputError for other
/// text.
Bytes parse_bytes(std::string_view text);

/// The shortest exact spelling that parse_bytes reads back: 4096 is "4K", 4097 is "4097".
std::string format_bytes(Bytes amount);

/// Parses a list of sizes; ascending, without repetition:
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

/// Parses a fraction: "5%" and "0.05" are one twentieth. InputError naming `what` for other text
/// and for numbers that are not between 0 and 1, both excluded.
double parse_fraction(std::string_view what, std::string_view text);

/// A fraction as people read it, with two digits: "5 %", "0.25 %".
std::string format_fraction(double share);

// Days are counted from 1970-01-01, UTC.

inline constexpr std::int64_t seconds_a_day = 86'400;

/// "2026-11-22". Years before 0 or after 9999 have more digits.
std::string day_text(std::int64_t day);

/// Parses "2026-11-22". InputError for other text and for days that no calendar has.
std::int64_t parse_day(std::string_view text);

/// Parses a time of documents, "2026-11-22T03:04:05Z", to seconds since 1970; fractions of a second
/// are dropped. InputError for other text and for times that no calendar or clock has.
std::int64_t parse_utc(std::string_view text);

/// The day of such a time.
std::int64_t day_of_utc(std::string_view moment);

/// Today.
std::int64_t day_now();

/// The latest time at which a launch can have begun [s since 1970]: one day from now. A clock that
/// is further ahead of this one is wrong.
std::int64_t latest_moment();

/// The day of that time; later nights are in the future.
std::int64_t latest_day();

/// Parses a duration: "60" and "60s" are sixty seconds; also "500ms", "1.5m", "2h". InputError for
/// other text, for negative durations and for those above one year.
Seconds parse_duration(std::string_view text);

/// A duration as people read it, rounded: "0.42 s", "12 s", "3 min 20 s", "2 h 05 min".
std::string format_duration(Seconds duration);

/// Wall time since `moment`.
Seconds elapsed_since(std::chrono::steady_clock::time_point moment);

/// A time as "2026-03-01T12:34:56Z" (ISO 8601).
std::string utc_text(std::time_t moment);

/// The current time in that form.
std::string utc_now();

/// The current time as "20260301T123456Z", suitable for file names.
std::string utc_stamp();

}  // namespace hockney
