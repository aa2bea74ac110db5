#include "verdicts/health/check.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/error.hpp"
#include "verdicts/health/judge_series.hpp"

namespace hockney {
namespace {

void require_sound(std::span<const NightlySeries> series, const CheckOptions& options) {
  for (const MaintenanceWindow& window : options.maintenance) {
    if (window.first_day <= window.last_day) continue;
    throw InputError({"maintenance from day " + std::to_string(window.first_day) + " to day " +
                          std::to_string(window.last_day),
                      "it ends before it begins", "exchange the days"});
  }
  std::set<std::string_view> names;
  for (const NightlySeries& one : series) {
    if (names.insert(one.name).second) continue;
    throw InputError({"two series are called " + one.name, "verdicts are told apart by name",
                      "merge them or rename one"});
  }
}

std::optional<std::int64_t> last_day(std::span<const NightlySeries> series) {
  std::optional<std::int64_t> last;
  for (const NightlySeries& one : series) {
    for (const NightlyValue& night : one.nights)
      last = std::max(last.value_or(night.day), night.day);
  }
  return last;
}

/// Whether the nights on which both may have changed overlap.
bool at_same_time(const SeriesHealth& a, const SeriesHealth& b) {
  if (!a.change || !b.change) return false;
  return a.change->since_low <= b.change->since_high && b.change->since_low <= a.change->since_high;
}

bool at_same_place(const NightlySeries& a, const NightlySeries& b) {
  return a.where.empty() || b.where.empty() || a.where == b.where;
}

/// Names of the controls that changed with a subject.
void name_controls(std::span<const NightlySeries> series, std::vector<SeriesHealth>& health) {
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < health.size(); ++i) {
    if (health[i].role == SeriesRole::control && health[i].change) changed.push_back(i);
  }
  for (std::size_t i = 0; i < health.size(); ++i) {
    if (health[i].role == SeriesRole::control || !health[i].change) continue;
    for (const std::size_t control : changed) {
      if (at_same_place(series[i], series[control]) && at_same_time(health[i], health[control])) {
        health[i].controls.push_back(health[control].series);
      }
    }
  }
}

}  // namespace

std::vector<SeriesHealth> check_series(std::span<const NightlySeries> series,
                                       const CheckOptions& options) {
  require_sound(series, options);
  const std::int64_t today = options.today.value_or(last_day(series).value_or(0));
  std::vector<SeriesHealth> health;
  health.reserve(series.size());
  for (const NightlySeries& one : series) health.push_back(judge_series(one, options, today));
  name_controls(series, health);
  return health;
}

}  // namespace hockney
