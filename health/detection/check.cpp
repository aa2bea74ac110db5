#include "health/detection/check.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/robust.hpp"
#include "health/detection/counted_nights.hpp"
#include "health/detection/dating.hpp"

namespace hockney::health {
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

constexpr std::size_t nights_before = 90;  // of a change that are looked at to date it
constexpr std::size_t nights_after = 30;

using Nights = std::span<const CountedNight>;

/// The nights about the change, where the most likely split may belong to another one before it:
/// then what follows that is looked at by itself.
std::optional<DatedChange> date_split(Nights nights, const Course& course, std::size_t end,
                                      const CheckOptions& options) {
  const std::size_t earliest = course.alarmed > nights_before ? course.alarmed - nights_before : 0;
  const bool rose = course.detector.level() == Level::higher;
  for (std::size_t begin = std::max(course.levels.back(), earliest); begin < course.alarmed;) {
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) values.push_back(nights[i].input.log_value);
    const auto found =
        date_change(values, {.latest = course.alarmed - begin, .seed = options.seed});
    if (!found) return std::nullopt;
    const auto day_of = [&](std::size_t index) { return nights[begin + index].night->day; };
    if ((found->change > 0) == rose) {
      return DatedChange{.since = day_of(found->first),
                         .since_low = day_of(found->earliest),
                         .since_high = day_of(found->latest),
                         .alarmed = nights[course.alarmed].night->day,
                         .change = found->change,
                         .interval = found->interval};
    }
    begin += found->first;
  }
  return std::nullopt;
}

DatedChange date(Nights nights, const Course& course, const CheckOptions& options) {
  const std::size_t end = std::min(nights.size(), course.alarmed + nights_after);
  if (const auto split = date_split(nights, course, end, options)) return *split;
  // Undatable: known on the night of the alarm, and as large as the nights that raised it.
  const std::size_t recent = std::min(options.detector.recent - 1, course.alarmed);
  std::vector<double> values;
  for (std::size_t i = course.alarmed - recent; i <= course.alarmed; ++i) {
    values.push_back(nights[i].input.log_value - course.detector.baseline().median());
  }
  const std::int64_t first = nights[course.alarmed - recent].night->day;
  const std::int64_t alarmed = nights[course.alarmed].night->day;
  return {alarmed, first, alarmed, alarmed, std::expm1(quick_median(values)), std::nullopt};
}

DatedChange of_one_night(const NightOutlier& night) {
  return {night.day, night.day, night.day, night.day, night.change, night.interval};
}

Verdict verdict_of(bool rose, WorseWhen worse) {
  return rose == (worse == WorseWhen::larger) ? Verdict::regressed : Verdict::improved;
}

fleet::Severity severity_of(const SeriesHealth& health, const NightlySeries& series,
                     const CheckOptions& options) {
  if (health.verdict == Verdict::improved) return fleet::Severity::monitor;
  if (health.verdict != Verdict::regressed) {
    return health.suspect ? fleet::Severity::monitor : fleet::Severity::none;
  }
  const double ratio = health.change ? 1 + health.change->change : 1;
  const bool large = std::abs(std::log(ratio)) >= std::log1p(options.isolate_beyond);
  return large && !series.where.empty() ? fleet::Severity::isolate : fleet::Severity::monitor;
}

std::vector<EnvironmentChange> environment_at(Nights nights, const DatedChange& change) {
  std::vector<EnvironmentChange> found;
  for (std::size_t i = 1; i < nights.size(); ++i) {
    const NightlyValue& before = *nights[i - 1].night;
    const NightlyValue& night = *nights[i].night;
    if (night.day < change.since_low || night.day > change.since_high) continue;
    const bool known = !before.environment.empty() && !night.environment.empty();
    if (known && before.environment != night.environment) {
      found.push_back({night.day, before.day, before.environment, night.environment});
    }
  }
  return found;
}

UndecidedWhy why_undecided(Nights nights, const Course& course, const CheckOptions& options,
                           std::int64_t today) {
  if (nights.empty()) return UndecidedWhy::no_nights;
  if (today - nights.back().night->day > options.stale_after_days) return UndecidedWhy::stale;
  if (course.detector.level() == Level::unknown) return UndecidedWhy::short_baseline;
  return UndecidedWhy::none;
}

void describe_baseline(SeriesHealth& health, const Baseline& baseline) {
  if (!baseline.ready()) return;
  health.baseline = std::exp(baseline.median());
  health.noise = baseline.noise();
}

/// The last night by itself, against the others of its level. Where single nights are verdicts,
/// the last night of the series stays one until another follows.
std::optional<NightOutlier> suspect_of(Nights nights, const Course& course,
                                       const SeriesHealth& health, const CheckOptions& options,
                                       std::int64_t today) {
  if (nights.empty()) return std::nullopt;
  if (nights.back().night->day != today && !options.single_night) return std::nullopt;
  std::size_t from = course.levels.back();
  if (health.change) {
    while (nights[from].night->day < health.change->since) ++from;
  }
  return night_outlier(nights.subspan(from), options.detector);
}

void decide(SeriesHealth& health, const NightlySeries& series, const CheckOptions& options) {
  if (!health.change && options.single_night && health.suspect) {
    health.change = of_one_night(*health.suspect);
    if (health.why == UndecidedWhy::short_baseline) health.why = UndecidedWhy::none;
  }
  const Verdict verdict =
      health.change ? verdict_of(health.change->change > 0, series.worse) : Verdict::steady;
  // A regression is open until later nights of the series, or a person, resolve it.
  health.is_open = health.why == UndecidedWhy::stale && verdict == Verdict::regressed;
  if (health.is_open) health.why = UndecidedWhy::none;
  if (health.why == UndecidedWhy::none) health.verdict = verdict;
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

SeriesHealth judge_series(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today) {
  const std::vector<CountedNight> counted = counted_nights(series, options, today);
  const Nights nights(counted);
  const Course course = follow(nights, series, options);
  SeriesHealth health;
  health.series = series.name;
  health.role = series.role;
  health.nights = nights.size();
  health.nights_needed = options.detector.baseline.shortest + 1;
  health.why = why_undecided(nights, course, options, today);
  if (!nights.empty()) health.last_day = nights.back().night->day;
  describe_baseline(health, course.detector.baseline());
  if (has_changed(course.detector.level())) health.change = date(nights, course, options);
  health.suspect = suspect_of(nights, course, health, options, today);
  decide(health, series, options);
  if (health.change) health.environment = environment_at(nights, *health.change);
  health.severity = severity_of(health, series, options);
  return health;
}

}  // namespace hockney::health
