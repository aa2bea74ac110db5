#include "core/quantities.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

struct Suffix {
  char letter;
  int shift;
};
constexpr std::array<Suffix, 4> suffixes{{{'G', 30}, {'M', 20}, {'K', 10}, {'B', 0}}};

[[noreturn]] void reject_size(std::string_view text, const std::string& why) {
  throw InputError({"bad size '" + std::string(text) + "'", why,
                    "write sizes as 64, 4K, 0:4M or 1:4M:8, joined by commas"});
}

/// The power of two of "", "B", "K", "KB", "KiB" and so on; the first letter in either case.
std::optional<int> shift_of(std::string_view unit) {
  if (unit.empty()) return 0;
  const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front())));
  const auto* const known = std::ranges::find(suffixes, letter, &Suffix::letter);
  if (known == suffixes.end()) return std::nullopt;
  const std::string_view rest = unit.substr(1);
  const bool spelled_out = letter != 'B' && (rest == "B" || rest == "iB");
  if (!rest.empty() && !spelled_out) return std::nullopt;
  return known->shift;
}

/// Appends sizes from `low` to `high`, `steps` an octave, each rounded to a whole byte.
void append_range(std::vector<Bytes>& sizes, std::int64_t low, std::int64_t high, int steps) {
  if (low == 0) sizes.push_back({0});
  const double first = static_cast<double>(std::max<std::int64_t>(low, 1));
  for (int i = 0;; ++i) {
    const double size = std::round(first * std::exp2(static_cast<double>(i) / steps));
    if (size >= static_cast<double>(high))
      break;  // compares doubles: the largest high has no
              // successor
    sizes.push_back({whole_number<std::int64_t>(size)});
  }
  sizes.push_back({high});
}

int parse_steps(std::string_view part, std::string_view text) {
  const int steps = as_number<int>(text).value_or(0);
  if (steps < 1 || steps > 64) {
    reject_size(part, "the number of steps an octave is a whole number from 1 to 64");
  }
  return steps;
}

void append_part(std::vector<Bytes>& sizes, std::string_view part) {
  const std::vector<std::string> ends = split(part, ':');
  if (ends.size() == 1) return sizes.push_back(parse_bytes(part));
  if (ends.size() > 3) reject_size(part, "a range has two ends and at most one step");
  const std::int64_t low = parse_bytes(ends[0]).value;
  const std::int64_t high = parse_bytes(ends[1]).value;
  if (low > high) reject_size(part, "the range runs downwards");
  append_range(sizes, low, high, ends.size() == 3 ? parse_steps(part, ends[2]) : 1);
}

using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year_month_day;

std::optional<int> digits(std::string_view text) {
  return text.starts_with('-') ? std::nullopt : as_number<int>(text);
}

/// Earlier days come from clocks that were never set.
constexpr int first_year = 2000;

std::optional<std::int64_t> read_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits(text.substr(0, 4));
  const auto month = digits(text.substr(5, 2));
  const auto day = digits(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const year_month_day date{std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *year < first_year) return std::nullopt;
  return sys_days(date).time_since_epoch().count();
}

/// Seconds since midnight of "T03:04:05Z" or "T03:04:05.678Z".
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

std::string utc_as(const char* format, std::time_t moment) {
  std::tm parts{};
  ::gmtime_r(&moment, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace

Bytes parse_bytes(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) reject_size(text, "it is too large");
  if (error != std::errc() || number < 0) reject_size(text, "it is no number of bytes");
  const auto shift = shift_of(text.substr(static_cast<std::size_t>(end - text.data())));
  if (!shift) reject_size(text, "the unit is none of K, M, G");
  if (number > (std::numeric_limits<std::int64_t>::max() >> *shift))
    reject_size(text, "it is too large");
  return {number << *shift};
}

std::string format_bytes(Bytes amount) {
  for (const Suffix& suffix : suffixes) {
    const std::int64_t unit = std::int64_t{1} << suffix.shift;
    if (suffix.shift > 0 && amount.value >= unit && amount.value % unit == 0) {
      return std::to_string(amount.value / unit) + suffix.letter;
    }
  }
  return std::to_string(amount.value);
}

std::vector<Bytes> parse_sizes(std::string_view text) {
  std::vector<Bytes> sizes;
  for (const std::string& part : split(text, ',')) append_part(sizes, part);
  std::ranges::sort(sizes);
  const auto repeated = std::ranges::unique(sizes);
  sizes.erase(repeated.begin(), repeated.end());
  return sizes;
}

double parse_fraction(std::string_view what, std::string_view text) {
  const bool percent = text.ends_with('%');
  const std::string_view digits = percent ? text.substr(0, text.size() - 1) : text;
  const double number = as_number<double>(digits).value_or(0);
  const double share = percent ? number / 100 : number;
  if (share > 0 && share < 1) return share;
  throw InputError({"bad value '" + std::string(text) + "' for " + std::string(what),
                    "it must be a share above 0 and below 1", "write it like 5% or 0.05"});
}

std::string format_fraction(double share) {
  constexpr double three_digits = 99.5;  // from here on two digits would need an exponent
  const double per_cent = 100 * share;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), per_cent < three_digits ? "%.2g %%" : "%.0f %%",
                per_cent);
  return text.data();
}

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
  throw InputError({"bad day '" + std::string(text) + "'",
                    "it is no day of the calendar since 2000", "write it like 2026-11-22"});
}

std::int64_t parse_utc(std::string_view text) {
  constexpr std::size_t day_length = 10;
  const auto day = read_day(text.substr(0, day_length));
  const auto second = read_clock(text.substr(std::min(day_length, text.size())));
  if (day && second) return *day * seconds_a_day + *second;
  throw InputError({"bad moment '" + std::string(text) + "'", "it is no time of UTC since 2000",
                    "write it like 2026-11-22T03:04:05Z"});
}

std::int64_t day_of_utc(std::string_view moment) {
  return std::chrono::floor<std::chrono::days>(sys_seconds(std::chrono::seconds(parse_utc(moment))))
      .time_since_epoch()
      .count();
}

std::int64_t day_now() { return std::time(nullptr) / seconds_a_day; }

std::int64_t latest_moment() { return std::time(nullptr) + seconds_a_day; }

std::int64_t latest_day() { return day_now() + 1; }

Seconds parse_duration(std::string_view text) {
  // from_chars would also accept "inf", "nan" and a sign.
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

Seconds elapsed_since(std::chrono::steady_clock::time_point moment) {
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - moment).count()};
}

std::string utc_text(std::time_t moment) { return utc_as("%Y-%m-%dT%H:%M:%SZ", moment); }

std::string utc_now() { return utc_text(std::time(nullptr)); }

std::string utc_stamp() { return utc_as("%Y%m%dT%H%M%SZ", std::time(nullptr)); }

}  // namespace hockney
