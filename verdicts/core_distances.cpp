#include "verdicts/core_distances.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/samples.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {
namespace {

/// Cache lines of the probes of `pair`; of all pairs if it is empty or was not probed.
std::vector<double> probed_lines(const Record& record, const std::vector<int>& pair) {
  std::vector<double> own;
  std::vector<double> all;
  for (const MachineProbe& probe : record.machine) {
    for (const LineProbe& line : probe.lines) {
      if (line.seconds <= 0) continue;
      all.push_back(line.seconds);
      if (line.pair == pair) own.push_back(line.seconds);
    }
  }
  return own.empty() ? all : own;
}

std::vector<double> floor_lines(const Record& record, const std::vector<int>& pair) {
  std::vector<double> lines;
  for (const Series& series : record.series) {
    if (series.point.operation != "floor-cacheline") continue;
    if (!pair.empty() && series.point.pair != pair) continue;
    if (const auto seconds = launch_median(record, series)) lines.push_back(*seconds);
  }
  return lines;
}

using OnCores = std::span<const LaunchOnCores>;

/// Launches in the first part: the largest gap between logarithms of lines. 0 without any.
std::size_t largest_gap_after(OnCores sorted) {
  std::size_t place = 0;
  double largest = 0;
  for (std::size_t i = part_launches; i + part_launches <= sorted.size(); ++i) {
    const double gap = std::log(sorted[i].line_seconds / sorted[i - 1].line_seconds);
    if (gap > largest) place = i, largest = gap;
  }
  return place;
}

struct PartTimes {
  CoresPart part;
  std::optional<Interval> interval;
};

PartTimes times_of(OnCores launches) {
  std::vector<double> lines;
  std::vector<double> seconds;
  for (const LaunchOnCores& one : launches) {
    lines.push_back(one.line_seconds);
    seconds.push_back(one.seconds);
  }
  return {.part = {launches.size(), median_of_some(lines), median_of_some(seconds)},
          .interval = quantile_interval(seconds, 0.5, default_level)};
}

/// The cache line of all pairs in each launch that has one.
std::vector<double> lines_of(std::span<const Record> records) {
  std::vector<double> lines;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    if (const auto line = cache_line_seconds(record, {})) lines.push_back(*line);
  }
  return lines;
}

}  // namespace

std::optional<double> cache_line_seconds(const Record& record, const Point& point) {
  const std::optional<double> probed = median(probed_lines(record, point.pair));
  return probed ? probed : median(floor_lines(record, point.pair));
}

std::optional<CoreDistances> find_core_distances(OnCores launches) {
  std::vector<LaunchOnCores> sorted(launches.begin(), launches.end());
  std::ranges::sort(sorted, {}, &LaunchOnCores::line_seconds);
  const std::size_t below = largest_gap_after(sorted);
  if (below == 0) return std::nullopt;
  const OnCores all(sorted);
  const PartTimes near = times_of(all.first(below));
  const PartTimes far = times_of(all.subspan(below));
  const double ratio = far.part.line_seconds / near.part.line_seconds;
  const double gap = sorted[below].line_seconds / sorted[below - 1].line_seconds;
  if (ratio < far_ratio || std::log(gap) < std::log(ratio) / 3) return std::nullopt;
  const bool do_times_differ =
      near.interval && far.interval &&
      (near.interval->high < far.interval->low || far.interval->high < near.interval->low);
  if (!do_times_differ) return std::nullopt;
  return CoreDistances{.near = near.part, .far = far.part};
}

std::optional<DifferentCores> find_different_cores(std::span<const Record> a,
                                                   std::span<const Record> b) {
  const std::vector<double> of_a = lines_of(a);
  const std::vector<double> of_b = lines_of(b);
  if (of_a.empty() || of_b.empty()) return std::nullopt;
  const bool is_a_nearer = std::ranges::max(of_a) < std::ranges::min(of_b);
  const bool is_b_nearer = std::ranges::max(of_b) < std::ranges::min(of_a);
  const DifferentCores found{.a_seconds = median_of_some(of_a), .b_seconds = median_of_some(of_b)};
  const double ratio = found.b_seconds / found.a_seconds;
  const bool are_far = ratio >= far_ratio || ratio <= 1 / far_ratio;
  return are_far && (is_a_nearer || is_b_nearer) ? std::optional(found) : std::nullopt;
}

}  // namespace hockney::verdicts
