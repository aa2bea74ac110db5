#include "core/samples.hpp"

#include <algorithm>

#include "core/counted.hpp"
#include "core/record_flags.hpp"
#include "core/timing_parameter.hpp"
#include "core/warm_up.hpp"

namespace hockney {
namespace {

bool has_samples(const Series& series) { return !series.samples_seconds.empty(); }

/// As planned where nobody counted.
void name_path(Point& point, const Series& series) {
  if (series.transport) point.path = prove_path(*series.transport).path;
}

bool is_corrupt(const Series& series) {
  return std::ranges::find(series.flags, corrupt_flag) != series.flags.end();
}

std::string missed(int starts) {
  return "some rank missed every start, " + std::to_string(starts) +
         " of them; the cores are busy with something else";
}

}  // namespace

SampleStore::SampleStore(std::vector<PlannedPoint> points) : points_(std::move(points)) {
  for (const PlannedPoint& planned : points_) {
    series_.push_back({.point = planned.point, .bytes_per_sample = planned.bytes_per_sample});
  }
}

void SampleStore::add(const Visit& visit) {
  Series& series = series_.at(visit.point);
  series.deliveries_checked = series.deliveries_checked.value_or(0) + visit.deliveries_checked;
  for (const std::string& flag : visit.flags) {
    if (std::ranges::find(series.flags, flag) == series.flags.end()) series.flags.push_back(flag);
  }
  if (visit.is_check) return;
  series.batch = visit.batch;
  series.visits.push_back(static_cast<int>(visit.samples_seconds.size()));
  if (visit.started_seconds) series.starts_seconds.push_back(*visit.started_seconds);
  if (visit.skew_seconds) series.skews_seconds.push_back(*visit.skew_seconds);
  if (!visit.locals_seconds.empty()) series.locals_seconds.push_back(visit.locals_seconds);
  series.late_starts += visit.late_starts;
  if (visit.control_seconds) series.controls_seconds.push_back(*visit.control_seconds);
  if (visit.page_faults) series.page_faults.push_back(*visit.page_faults);
  if (visit.transport) {
    if (!series.transport) series.transport = Transport{};
    hockney::add(*series.transport, *visit.transport);
  }
  series.samples_seconds.insert(series.samples_seconds.end(), visit.samples_seconds.begin(),
                                visit.samples_seconds.end());
}

std::vector<Series> SampleStore::series() const {
  std::vector<Series> filled;
  std::ranges::copy_if(series_, std::back_inserter(filled), has_samples);
  const int warm_up = warm_up_epochs(filled);
  for (Series& series : filled) {
    series.warm_up_visits = std::min(warm_up, static_cast<int>(series.visits.size()) - 1);
    series.summary = summarise(series);
    name_path(series.point, series);
  }
  return filled;
}

std::vector<PlannedPoint> SampleStore::points(const std::string& reason) const {
  std::vector<PlannedPoint> points = points_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    name_path(points[i].point, series_[i]);
    if (points[i].status != PointStatus::measured || has_samples(series_[i])) continue;
    points[i].status = is_corrupt(series_[i]) ? PointStatus::failed : PointStatus::skipped;
    points[i].reason = series_[i].late_starts > 0 ? missed(series_[i].late_starts) : reason;
    if (is_corrupt(series_[i])) points[i].reason = std::string(wrong_data_reason);
  }
  return points;
}

std::optional<double> SampleStore::widest_within() const {
  constexpr double normal_95 = 1.96;
  double widest = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const PlannedPoint& planned = points_[i];
    if (planned.status != PointStatus::measured || is_of_other_suite(planned.point)) continue;
    const std::vector<double> samples = counted_samples(series_[i]);
    const auto error = median_error(samples);
    const auto middle = median(samples);
    if (!error || !middle) return std::nullopt;
    if (*error > 0) widest = std::max(widest, normal_95 * *error / *middle);
  }
  return widest;
}

}  // namespace hockney
