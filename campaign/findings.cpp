#include "campaign/findings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "core/launch_medians.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/samples.hpp"

namespace hockney::campaign {
namespace {

constexpr std::size_t fewest_for_variance = 3;

double log_variance(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  const auto count = static_cast<double>(logs.size());
  const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / count;
  double squares = 0;
  for (const double value : logs) squares += (value - mean) * (value - mean);
  return squares / (count - 1);
}

bool all_positive(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return value > 0; });
}

/// Half the interval, as a share of the median; nullopt without an interval.
std::optional<double> half_width(const std::vector<double>& medians, double level) {
  const auto interval = quantile_interval(medians, 0.5, level);
  if (!interval) return std::nullopt;
  const double half = (interval->high - interval->low) / 2;
  return half == 0 ? 0 : half / median_of_some(medians);
}

}  // namespace

LaunchFindings findings_of(const Record& record) {
  LaunchFindings findings{.points = {}, .measuring = {record.measuring_seconds}};
  for (const PlannedPoint& planned : record.points) {
    if (planned.reason.starts_with(not_reached_reason)) ++findings.left_out;
  }
  for (const TimedSeries& timed : timed_series({&record, 1}).series) {
    const Point& point = timed.series->point;
    if (is_of_other_suite(point)) continue;
    const auto error = median_error(counted_samples(*timed.series));
    findings.points.push_back(
        {.point = curve_name(point) + " " + format_bytes(point.bytes),
         .median_seconds = timed.seconds,
         .error = error ? std::optional(*error / timed.seconds) : std::nullopt});
  }
  return findings;
}

void Findings::add(const std::string& setting, const LaunchFindings& launch) {
  for (const PointFinding& finding : launch.points) {
    Point& point = points_[setting + ": " + finding.point];
    point.medians_seconds.push_back(finding.median_seconds);
    point.measuring_seconds.push_back(launch.measuring.value);
    if (!finding.error) continue;
    point.variances_times_seconds.push_back(*finding.error * *finding.error *
                                            launch.measuring.value);
  }
}

Precision Findings::precision(double requested, double level) const {
  Precision found{.points = static_cast<int>(points_.size()), .level = level};
  for (const auto& [name, point] : points_) {
    const auto half = half_width(point.medians_seconds, level);
    if (!half) continue;
    if (*half <= requested) ++found.within;
    if (*half < found.widest && !found.widest_at.empty()) continue;
    found.widest = *half;
    found.widest_at = name;
  }
  return found;
}

std::optional<Seconds> Findings::balance() const {
  std::vector<double> inside_times_seconds;
  std::vector<double> inside;
  std::vector<double> total;
  for (const auto& [name, point] : points_) {
    const bool enough = point.medians_seconds.size() >= fewest_for_variance;
    const auto noise = median(point.variances_times_seconds);
    if (!enough || !noise || !all_positive(point.medians_seconds)) continue;
    const double measuring = median_of_some(point.measuring_seconds);
    if (!(measuring > 0)) continue;
    inside_times_seconds.push_back(*noise);
    inside.push_back(*noise / measuring);
    total.push_back(log_variance(point.medians_seconds));
  }
  if (total.empty()) return std::nullopt;
  const double between = median_of_some(total) - median_of_some(inside);
  if (between <= 0) return Seconds{std::numeric_limits<double>::infinity()};
  return Seconds{median_of_some(inside_times_seconds) / between};
}

}  // namespace hockney::campaign
