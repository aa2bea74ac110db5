#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "components/health/detection/check.hpp"
#include "components/health/detection/detector.hpp"

namespace hockney {

/// Nights on which a detector says for the first time that a level went up or down.
struct Alarms {
  std::vector<std::size_t> up;
  std::vector<std::size_t> down;
};

inline constexpr std::size_t reference_nights = 30;  ///< that the simple detectors learn from

inline Alarms hockney_alarms(std::span<const double> values,
                             const health::DetectorParameters& parameters) {
  health::Detector detector(parameters);
  Alarms alarms;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const health::NightFinding finding = detector.observe({.log_value = std::log(values[i])});
    if (!finding.changed) continue;
    if (finding.level == health::Level::higher) alarms.up.push_back(i);
    if (finding.level == health::Level::lower) alarms.down.push_back(i);
  }
  return alarms;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

inline Moments moments(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Moments found;
  for (const double value : values) found.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - found.mean) * (value - found.mean);
  found.deviation = std::sqrt(squares / (n - 1));
  return found;
}

/// k = 0.5, h = 5 on mean and standard deviation of the first nights; begins anew after an alarm.
inline Alarms plain_cusum_alarms(std::span<const double> values) {
  const Moments usual = moments(values.first(reference_nights));
  Alarms alarms;
  double rise = 0;
  double fall = 0;
  for (std::size_t i = reference_nights; i < values.size(); ++i) {
    const double score = (values[i] - usual.mean) / usual.deviation;
    rise = std::max(0.0, rise + score - 0.5);
    fall = std::max(0.0, fall - score - 0.5);
    if (rise > 5) alarms.up.push_back(i);
    if (fall > 5) alarms.down.push_back(i);
    if (rise > 5 || fall > 5) rise = fall = 0;
  }
  return alarms;
}

/// Every night beyond 10 % of the mean of the first nights, as with a fixed reference.
inline Alarms fixed_threshold_alarms(std::span<const double> values) {
  const double reference = moments(values.first(reference_nights)).mean;
  Alarms alarms;
  for (std::size_t i = reference_nights; i < values.size(); ++i) {
    if (values[i] > 1.1 * reference) alarms.up.push_back(i);
    if (values[i] < 0.9 * reference) alarms.down.push_back(i);
  }
  return alarms;
}

/// Every night beyond 3 standard deviations of the first nights.
inline Alarms shewhart_alarms(std::span<const double> values) {
  const Moments usual = moments(values.first(reference_nights));
  Alarms alarms;
  for (std::size_t i = reference_nights; i < values.size(); ++i) {
    const double score = (values[i] - usual.mean) / usual.deviation;
    if (score > 3) alarms.up.push_back(i);
    if (score < -3) alarms.down.push_back(i);
  }
  return alarms;
}

inline double t_statistic(std::span<const double> before, std::span<const double> after) {
  const Moments a = moments(before);
  const Moments b = moments(after);
  const auto n = static_cast<double>(before.size());
  const auto m = static_cast<double>(after.size());
  const double pooled =
      ((n - 1) * a.deviation * a.deviation + (m - 1) * b.deviation * b.deviation) / (n + m - 2);
  return (b.mean - a.mean) / std::sqrt(pooled * (1 / n + 1 / m));
}

/// Mozilla's Perfherder: |t| > 7 between the 12 to 24 nights before and the 12 from a night on, so
/// known 12 nights later. One alarm for each run of such nights.
inline Alarms perfherder_alarms(std::span<const double> values) {
  Alarms alarms;
  bool alarmed = false;
  for (std::size_t i = reference_nights; i + 12 <= values.size(); ++i) {
    const double t = t_statistic(values.subspan(i - 24, 24), values.subspan(i, 12));
    const bool beyond = std::abs(t) > 7;
    if (beyond && !alarmed) (t > 0 ? alarms.up : alarms.down).push_back(i + 11);
    alarmed = beyond;
  }
  return alarms;
}

/// E-divisive run anew every night over the last 120, with the t-test of its best split at 0.001
/// (Apache Otava). A split within 14 nights of the last one that was told is the same one.
inline Alarms divisive_alarms(std::span<const double> values) {
  constexpr double beyond = 3.39;  // t at p = 0.001 two-sided, 100 degrees of freedom
  constexpr std::size_t same = 14;
  Alarms alarms;
  std::size_t reported = 0;
  for (std::size_t i = reference_nights; i < values.size(); ++i) {
    const std::size_t begin = i + 1 > 120 ? i + 1 - 120 : 0;
    const auto window = values.subspan(begin, i + 1 - begin);
    const auto split = health::energy_split(window);
    if (!split) continue;
    const std::size_t place = begin + split->first_after;
    const double t =
        t_statistic(window.first(split->first_after), window.subspan(split->first_after));
    const bool known = reported > 0 && place < reported + same && reported < place + same;
    if (!(std::abs(t) > beyond) || known) continue;
    (t > 0 ? alarms.up : alarms.down).push_back(i);
    reported = place;
  }
  return alarms;
}

}  // namespace hockney
