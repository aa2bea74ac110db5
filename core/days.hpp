#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hockney {

// Days are counted from 1970-01-01, UTC.

/// "2026-11-22"; the year of a day before the year 0 or after 9999 has more digits.
std::string day_text(std::int64_t day);

/// The day of "2026-11-22"; InputError on anything else, and on days that no calendar has.
std::int64_t parse_day(std::string_view text);

/// The day of a moment as records write it, "2026-11-22T03:04:05Z"; InputError on anything else.
std::int64_t day_of_utc(std::string_view moment);

/// The day it is now.
std::int64_t day_now();

}  // namespace hockney
