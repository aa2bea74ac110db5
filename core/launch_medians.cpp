#include "core/launch_medians.hpp"

#include <algorithm>

#include "core/faults.hpp"
#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney {

std::optional<double> launch_median(const Record& record, const Series& series) {
  if (fault_of(record, series)) return std::nullopt;
  const std::optional<double> middle = counted(series).median_seconds;
  return middle && *middle > 0 ? middle : std::nullopt;
}

std::string why_no_median(const Record& record, const Series& series) {
  if (const auto fault = fault_of(record, series)) return std::string(cause_of(*fault));
  if (launch_median(record, series)) return "";
  return counted(series).median_seconds ? "its median is 0: no time passed on the clock"
                                        : "none of its samples counts";
}

namespace {

/// What the series of one launch say together.
LaunchMedian pooled(std::span<const LaunchMedian> series) {
  LaunchMedian median = series.front();
  if (series.size() == 1) return median;
  median.seconds = median_of_some(seconds_of(series));
  const auto same_path = [&](const LaunchMedian& other) { return other.path == median.path; };
  if (!std::ranges::all_of(series, same_path)) median.path.reset();
  return median;
}

}  // namespace

void PointLaunches::add(std::size_t launch, double seconds,
                        const std::optional<std::string>& path) {
  series_.push_back({.launch = launch, .seconds = seconds, .path = path});
}

std::vector<LaunchMedian> PointLaunches::medians() const {
  std::vector<LaunchMedian> medians = series_;
  std::ranges::stable_sort(medians, {}, &LaunchMedian::launch);
  auto end = medians.begin();  // of those that are pooled
  for (auto first = medians.begin(); first != medians.end();) {
    const auto next = std::find_if(first, medians.end(), [&](const LaunchMedian& series) {
      return series.launch != first->launch;
    });
    *end++ = pooled({first, next});
    first = next;
  }
  medians.erase(end, medians.end());
  return medians;
}

std::vector<double> PointLaunches::seconds() const { return seconds_of(medians()); }

std::vector<double> seconds_of(std::span<const LaunchMedian> medians) {
  std::vector<double> seconds;
  seconds.reserve(medians.size());
  for (const LaunchMedian& median : medians) seconds.push_back(median.seconds);
  return seconds;
}

std::optional<double> seconds_in(std::span<const LaunchMedian> medians, std::size_t launch) {
  const auto found = std::ranges::lower_bound(medians, launch, {}, &LaunchMedian::launch);
  const bool is_there = found != medians.end() && found->launch == launch;
  return is_there ? std::optional(found->seconds) : std::nullopt;
}

std::vector<double> launch_ratios(std::span<const LaunchMedian> times,
                                  std::span<const LaunchMedian> references) {
  std::vector<double> ratios;
  for (const LaunchMedian& time : times) {
    const auto reference = seconds_in(references, time.launch);
    if (reference) ratios.push_back(time.seconds / *reference);
  }
  return ratios;
}

std::string TimedSeries::setting() const {
  return record->campaign ? record->campaign->setting : "";
}

TimedRecords timed_series(std::span<const Record> records) {
  TimedRecords timed;
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    const Record& record = records[launch];
    if (record.status != LaunchStatus::complete) {
      ++timed.records_left_out;
      continue;
    }
    ++timed.records_used;
    for (const Series& series : record.series) {
      if (const auto seconds = launch_median(record, series)) {
        timed.series.push_back({launch, &record, &series, *seconds});
      } else {
        ++timed.series_without_time;
      }
    }
  }
  return timed;
}

}  // namespace hockney
