#include "core/days.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>

#include "core/as_number.hpp"
#include "core/error.hpp"
#include "core/utc.hpp"

namespace hockney {
namespace {

using std::chrono::sys_days;
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

std::int64_t day_of_utc(std::string_view moment) {
  const auto day = read_day(moment.substr(0, 10));
  if (day && moment.size() > 10 && moment[10] == 'T' && moment.back() == 'Z') return *day;
  throw InputError({"bad moment '" + std::string(moment) + "'", "it is no time of UTC",
                    "write it like 2026-11-22T03:04:05Z"});
}

std::int64_t day_now() { return day_of_utc(utc_now()); }

}  // namespace hockney
