#include "health/detection/counted_nights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/robust.hpp"
#include "core/series_name.hpp"
#include "health/detection/baseline.hpp"

namespace hockney::health {
namespace {

constexpr double deviations_in_interval = 2 * 1.959963984540054;  // of a normal value, at 95 %

std::int64_t first_day_of(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today) {
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  for (const AcceptedShift& shift : options.accepted) {
    if (shift.day > first && shift.day <= today && matches(series.name, shift.series)) {
      first = shift.day;
    }
  }
  return first;
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

/// First nights of the levels that lasted, the first of all among them.
std::vector<std::size_t> lasting_levels(const Course& course, std::size_t nights,
                                        const CheckOptions& options) {
  std::vector<std::size_t> starts = course.levels;
  const bool is_open = has_changed(course.detector.level());
  if (is_open && nights >= course.alarmed + options.detector.adopt)
    starts.push_back(course.alarmed);
  return starts;
}

void append_deviations(const std::vector<CountedNight>& nights, std::size_t begin, std::size_t end,
                       double sign, std::vector<double>& deviations) {
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i) values.push_back(nights[i].input.log_value);
  const double centre = quick_median(values);
  for (std::size_t i = begin; i < end; ++i) {
    deviations.push_back(sign * (nights[i].input.log_value - centre));
  }
}

constexpr std::size_t nights_looked_at = 120;
constexpr double times_as_far = 2;
constexpr double least_score = 4;  // the one of docs/health.md that Grid'5000 uses: 99.99 %

std::optional<Interval> relative(const NightlyValue& night, double centre) {
  if (!night.interval) return std::nullopt;
  const double usual = std::exp(centre);
  return Interval{night.interval->low / usual - 1, night.interval->high / usual - 1,
                  night.interval->level};
}

/// Whether all that the night may have been lies beyond the floor, on the side of `distance`.
bool lies_beyond(const std::optional<Interval>& interval, double distance, double practical) {
  if (std::abs(distance) <= std::log1p(practical)) return false;
  if (!interval) return true;
  return distance > 0 ? interval->low > practical : interval->high < 1 / (1 + practical) - 1;
}

}  // namespace

bool in_maintenance(std::int64_t day, std::span<const MaintenanceWindow> windows) {
  return std::ranges::any_of(windows, [&](const MaintenanceWindow& window) {
    return window.first_day <= day && day <= window.last_day;
  });
}

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

Course follow(std::span<const CountedNight> nights, const NightlySeries& series,
              const CheckOptions& options) {
  const Level worse = series.worse == WorseWhen::larger ? Level::higher : Level::lower;
  Course course{Detector(options.detector, worse)};
  for (std::size_t i = 0; i < nights.size(); ++i) {
    const NightFinding finding = course.detector.observe(nights[i].input);
    if (finding.adopted) course.levels.push_back(course.alarmed);
    if (finding.changed && finding.level != Level::usual) course.alarmed = i;
  }
  return course;
}

std::optional<SteadyNights> steady_nights(const NightlySeries& series, const CheckOptions& options,
                                          std::int64_t today) {
  const std::vector<CountedNight> nights = counted_nights(series, options, today);
  const std::size_t shortest = options.detector.baseline.shortest;
  const double sign = series.worse == WorseWhen::larger ? 1 : -1;
  std::vector<std::size_t> starts =
      lasting_levels(follow(nights, series, options), nights.size(), options);
  starts.push_back(nights.size());
  SteadyNights steady;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    // A change is known some nights late; those belong to neither level.
    const bool last = k + 2 == starts.size();
    const std::size_t late = last ? 0 : std::min(options.detector.lag, starts[k + 1] - starts[k]);
    const std::size_t end = starts[k + 1] - late;
    if (end >= starts[k] + shortest) {
      append_deviations(nights, starts[k], end, sign, steady.deviations);
    }
  }
  if (steady.deviations.size() < 2 * shortest) return std::nullopt;
  steady.noise = robust_deviation(steady.deviations);
  const double scale = std::max(steady.noise, options.detector.baseline.least_noise);
  steady.autocorrelation = lag_one_autocorrelation(steady.deviations, 0, scale);
  steady.block = std::max(block_length(steady.autocorrelation, steady.deviations.size()),
                          2 * options.detector.recent);
  return steady;
}

std::optional<NightOutlier> night_outlier(std::span<const CountedNight> nights,
                                          const DetectorParameters& parameters) {
  if (nights.size() <= nights_before_outlier) return std::nullopt;
  const NightlyValue& night = *nights.back().night;
  std::span<const CountedNight> others = nights.first(nights.size() - 1);
  if (others.size() > nights_looked_at) others = others.last(nights_looked_at);
  std::vector<double> values;
  values.reserve(others.size());
  for (const CountedNight& other : others) values.push_back(other.input.log_value);
  const double centre = quick_median(values);
  for (double& value : values) value = std::abs(value - centre);
  const double distance = nights.back().input.log_value - centre;
  if (std::abs(distance) < times_as_far * *std::ranges::max_element(values)) return std::nullopt;
  const double noise = std::max(robust_deviation(values), parameters.baseline.least_noise);
  const double score = distance / noise;
  const auto interval = relative(night, centre);
  if (std::abs(score) < least_score || !lies_beyond(interval, distance, parameters.practical)) {
    return std::nullopt;
  }
  return NightOutlier{night.day, std::expm1(distance), interval, score};
}

}  // namespace hockney::health
