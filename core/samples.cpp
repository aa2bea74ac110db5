#include "core/samples.hpp"

#include <algorithm>

#include "core/calm.hpp"

namespace hockney {
namespace {

bool has_samples(const Series& series) { return !series.samples_seconds.empty(); }

}  // namespace

SampleStore::SampleStore(std::vector<PlannedPoint> points) : points_(std::move(points)) {
  for (const PlannedPoint& planned : points_) {
    series_.push_back({.point = planned.point, .bytes_per_sample = planned.bytes_per_sample});
  }
}

void SampleStore::add(const Visit& visit) {
  Series& series = series_.at(visit.point);
  series.batch = visit.batch;
  series.visits.push_back(static_cast<int>(visit.samples_seconds.size()));
  if (visit.skew_seconds) series.skews_seconds.push_back(*visit.skew_seconds);
  series.late_starts += visit.late_starts;
  if (visit.control_seconds) series.controls_seconds.push_back(*visit.control_seconds);
  series.samples_seconds.insert(series.samples_seconds.end(), visit.samples_seconds.begin(),
                                visit.samples_seconds.end());
  for (const std::string& flag : visit.flags) {
    if (std::ranges::find(series.flags, flag) == series.flags.end()) series.flags.push_back(flag);
  }
}

std::vector<Series> SampleStore::series() const {
  std::vector<Series> filled;
  std::ranges::copy_if(series_, std::back_inserter(filled), has_samples);
  for (Series& series : filled) series.summary = summarise(series);
  return filled;
}

std::vector<PlannedPoint> SampleStore::points(const std::string& reason) const {
  std::vector<PlannedPoint> points = points_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].status != PointStatus::measured || has_samples(series_[i])) continue;
    points[i].status = PointStatus::skipped;
    points[i].reason = reason;
  }
  return points;
}

Summary summarise(const Series& series) {
  if (series.samples_seconds.empty()) return {};
  const std::vector<double> samples = calm_samples(series);
  const auto calm = std::ranges::count(calm_visits(series), true);
  return {.median_seconds = median(samples),
          .minimum_seconds = std::ranges::min(series.samples_seconds),
          .maximum_seconds = std::ranges::max(series.samples_seconds),
          .within_seconds = quantile_interval(samples),
          .effective_samples = effective_sample_size(samples),
          .skew_seconds = median(series.skews_seconds),
          .calm_visits = series.controls_seconds.empty() ? std::nullopt
                                                         : std::optional(static_cast<int>(calm))};
}

}  // namespace hockney
