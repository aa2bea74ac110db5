#include "verdicts/health/counted_nights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace hockney {
namespace {

constexpr double deviations_in_interval = 2 * 1.959963984540054;  // of a normal value, at 95 %

/// Whether a name is as a pattern says, in which * is any text.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= name.size(); ++from) {
    if (matches(rest, name.substr(from))) return true;
  }
  return false;
}

std::int64_t first_day_of(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today) {
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  for (const AcceptedShift& shift : options.accepted) {
    if (shift.day > first && shift.day <= today && matches(shift.series, series.name)) {
      first = shift.day;
    }
  }
  return first;
}

bool in_maintenance(std::int64_t day, std::span<const MaintenanceWindow> windows) {
  return std::ranges::any_of(windows, [&](const MaintenanceWindow& window) {
    return window.first_day <= day && day <= window.last_day;
  });
}

void require_sound(const NightlySeries& series) {
  const NightlyValue* before = nullptr;
  for (const NightlyValue& night : series.nights) {
    const std::string where = "day " + std::to_string(night.day) + " of " + series.name;
    if (before != nullptr && night.day <= before->day) {
      throw InputError({where + " follows day " + std::to_string(before->day),
                        "nights are in order, one a day", "sort them, or merge those of one day"});
    }
    if (!(night.value > 0) || !std::isfinite(night.value)) {
      throw InputError({where + " has the value " + std::to_string(night.value),
                        "changes are ratios of positive numbers", "repair or remove that night"});
    }
    before = &night;
  }
}

/// Standard error of the logarithm, from the interval over launches.
double error_of(const NightlyValue& night) {
  if (!night.interval || !(night.interval->low > 0)) return 0;
  const double width = std::log(night.interval->high / night.interval->low);
  return std::isfinite(width) ? width / deviations_in_interval : 0;
}

}  // namespace

std::vector<CountedNight> counted_nights(const NightlySeries& series, const CheckOptions& options,
                                         std::int64_t today) {
  require_sound(series);
  const std::int64_t first = first_day_of(series, options, today);
  std::vector<CountedNight> counted;
  counted.reserve(series.nights.size());
  for (const NightlyValue& night : series.nights) {
    if (night.day < first || night.day > today) continue;
    if (in_maintenance(night.day, options.maintenance)) continue;
    const std::int64_t gap = counted.empty() ? 1 : night.day - counted.back().night->day;
    counted.push_back({&night, {std::log(night.value), gap, error_of(night)}});
  }
  return counted;
}

}  // namespace hockney
