#include "core/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/whole_number.hpp"

namespace hockney {
namespace {

using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year_month_day;

std::optional<int> digits(std::string_view text) {
  return text.starts_with('-') ? std::nullopt : as_number<int>(text);
}

std::optional<std::int64_t> read_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits(text.substr(0, 4));
  const auto month = digits(text.substr(5, 2));
  const auto day = digits(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const year_month_day date{std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch().count();
}

/// The second of the day of "T03:04:05Z", or of "T03:04:05.678Z".
std::optional<std::int64_t> read_clock(std::string_view text) {
  constexpr std::size_t whole_seconds = 9;  // characters up to the fraction
  if (text.size() <= whole_seconds || text[0] != 'T' || text[3] != ':' || text[6] != ':' ||
      text.back() != 'Z') {
    return std::nullopt;
  }
  const auto hour = digits(text.substr(1, 2));
  const auto minute = digits(text.substr(4, 2));
  const auto second = digits(text.substr(7, 2));
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59) {
    return std::nullopt;
  }
  const std::string_view fraction = text.substr(whole_seconds, text.size() - whole_seconds - 1);
  if (!fraction.empty() &&
      (fraction[0] != '.' || !as_number<std::uint64_t>(fraction.substr(1)).has_value())) {
    return std::nullopt;
  }
  return (*hour * 60 + *minute) * 60 + *second;
}

}  // namespace

std::string day_text(std::int64_t day) {
  const year_month_day date{sys_days(std::chrono::days(day))};
  std::array<char, 32> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return {text.data(), static_cast<std::size_t>(length)};
}

std::int64_t parse_day(std::string_view text) {
  if (const auto day = read_day(text)) return *day;
  throw InputError({"bad day '" + std::string(text) + "'", "it is no day of the calendar",
                    "write it like 2026-11-22"});
}

std::int64_t parse_utc(std::string_view text) {
  constexpr std::size_t day_length = 10;
  const auto day = read_day(text.substr(0, day_length));
  const auto second = read_clock(text.substr(std::min(day_length, text.size())));
  if (day && second) return *day * seconds_a_day + *second;
  throw InputError({"bad moment '" + std::string(text) + "'", "it is no time of UTC",
                    "write it like 2026-11-22T03:04:05Z"});
}

std::int64_t day_of_utc(std::string_view moment) {
  return std::chrono::floor<std::chrono::days>(sys_seconds(std::chrono::seconds(parse_utc(moment))))
      .time_since_epoch()
      .count();
}

std::int64_t day_now() { return day_of_utc(utc_now()); }

std::int64_t latest_moment() { return std::time(nullptr) + seconds_a_day; }

std::int64_t latest_day() { return day_now() + 1; }

namespace {

struct DurationUnit {
  std::string_view suffix;
  double seconds;
};

constexpr std::array<DurationUnit, 6> units{
    {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}}};

[[noreturn]] void reject_duration(std::string_view text) {
  throw InputError({"bad duration '" + std::string(text) + "'",
                    "it is not a number with an optional unit of ms, s, m or h",
                    "write it like 60, 90s, 1.5m or 500ms"});
}

}  // namespace

Seconds parse_duration(std::string_view text) {
  // from_chars would also read "inf" and "nan", and a sign.
  if (text.empty() || text.front() < '0' || text.front() > '9') reject_duration(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) reject_duration(text);
  const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr double longest_wait = 366.0 * 24 * 3600;
  for (const DurationUnit& unit : units) {
    if (unit.suffix != suffix) continue;
    if (number * unit.seconds <= longest_wait) return {number * unit.seconds};
    throw InputError({"bad duration '" + std::string(text) + "'", "it is longer than a year",
                      "give at most 8784h"});
  }
  reject_duration(text);
}

std::string format_duration(Seconds duration) {
  const double seconds = duration.value;
  const auto whole = whole_number<long>(seconds);
  std::array<char, 32> text{};
  if (seconds < 9.95) {
    std::snprintf(text.data(), text.size(), "%.2g s", seconds);
  } else if (whole < 60) {
    std::snprintf(text.data(), text.size(), "%ld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text.data(), text.size(), "%ld min %02ld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text.data(), text.size(), "%ld h %02ld min", whole / 3600, whole % 3600 / 60);
  }
  return text.data();
}

namespace {

std::string utc_as(const char* format, std::time_t moment) {
  std::tm parts{};
  ::gmtime_r(&moment, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace

Seconds elapsed_since(std::chrono::steady_clock::time_point moment) {
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count()};
}

std::string utc_text(std::time_t moment) { return utc_as("%Y-%m-%dT%H:%M:%SZ", moment); }

std::string utc_now() { return utc_text(std::time(nullptr)); }

std::string utc_stamp() { return utc_as("%Y%m%dT%H%M%SZ", std::time(nullptr)); }

}  // namespace hockney
