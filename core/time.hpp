#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "core/units.hpp"

namespace hockney {

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
