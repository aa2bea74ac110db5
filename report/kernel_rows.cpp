#include "report/kernel_rows.hpp"

#include <algorithm>
#include <utility>

#include "core/samples.hpp"

namespace hockney::report {
namespace {

std::string parameter(const Point& point, const std::string& key) {
  const auto found = point.parameters.find(key);
  return found == point.parameters.end() ? "" : found->second;
}

Point without_way(Point point) {
  point.parameters.erase(way_parameter);
  point.parameters.erase(work_parameter);
  return point;
}

/// The median of every block that counts, by its epoch.
Replicates blocks_of(const Series& series) {
  Replicates replicates;
  const std::vector<bool> counts = counted_blocks(series);
  auto begin = series.samples_seconds.begin();
  for (std::size_t block = 0; block < series.blocks.size(); ++block) {
    const auto end = begin + series.blocks[block];
    const auto seconds = median(std::vector<double>(begin, end));
    if (counts[block] && seconds && *seconds > 0) replicates[block] = *seconds;
    begin = end;
  }
  return replicates;
}

Replicates launches_of(const Row& row) {
  Replicates replicates;
  for (const LaunchMedian& launch : row.launches) replicates[launch.launch] = launch.seconds;
  return replicates;
}

Replicates replicates_of(const Row& row, std::span<const Record> records, Replicate kind) {
  if (kind != Replicate::block) return launches_of(row);
  for (const std::size_t place : row.records) {
    for (const Series& series : records[place].series) {
      if (series.point == row.point) return blocks_of(series);
    }
  }
  return {};
}

Replicate replicate_of(const Row& row, std::span<const Record> records, std::size_t launches) {
  const auto is_simulated = [&](std::size_t place) {
    return records[place].sync && records[place].sync->scheme == "simulated";
  };
  if (std::ranges::all_of(row.records, is_simulated)) return Replicate::simulation;
  const auto has_samples = [&](std::size_t place) {
    return std::ranges::none_of(records[place].series,
                                [](const Series& series) { return series.counted.has_value(); });
  };
  const bool has_blocks = launches == 1 && std::ranges::all_of(row.records, has_samples);
  return has_blocks ? Replicate::block : Replicate::launch;
}

Estimate estimate(const std::vector<double>& values, double level) {
  return {median(values), quantile_interval(values, 0.5, level)};
}

std::vector<double> values_of(const Replicates& replicates) {
  std::vector<double> values;
  for (const auto& [number, seconds] : replicates) values.push_back(seconds);
  return values;
}

std::vector<double> ratios(const Replicates& times, const Replicates& references) {
  std::vector<double> values;
  for (const auto& [number, seconds] : times) {
    const auto reference = references.find(number);
    if (reference != references.end()) values.push_back(seconds / reference->second);
  }
  return values;
}

/// 1 - ratio.
std::vector<double> shares_left(std::vector<double> values) {
  for (double& value : values) value = 1 - value;
  return values;
}

KernelPoint& point_of(std::vector<KernelPoint>& all, const Row& row, Replicate kind) {
  const Point key = without_way(row.point);
  const auto found = std::ranges::find_if(all, [&](const KernelPoint& known) {
    return known.setting == row.setting && known.point == key;
  });
  if (found != all.end()) return *found;
  return all.emplace_back(KernelPoint{
      .setting = row.setting, .point = key, .replicate = kind, .ways = {}, .fastest = {}});
}

KernelWay& way_of(KernelPoint& point, const std::string& name) {
  const auto found = std::ranges::find(point.ways, name, &KernelWay::way);
  if (found != point.ways.end()) return *found;
  KernelWay& way = point.ways.emplace_back();
  way.way = name;
  return way;
}

/// Everything that follows from the times of one way.
void judge_way(KernelWay& way, double level) {
  const Replicates& after = way.works["after"];
  const Replicates& during = way.works["during"];
  const Replicates& alone = way.works["alone"];
  const auto after_seconds = median(values_of(after));
  const auto during_seconds = median(values_of(during));
  if (after_seconds) way.best = "after";
  if (during_seconds && (!after_seconds || *during_seconds < *after_seconds)) way.best = "during";
  if (!way.best.empty()) way.seconds = estimate(values_of(way.works[way.best]), level);
  way.in_mpi = estimate(shares_left(ratios(alone, after)), level);
  way.won = estimate(shares_left(ratios(during, after)), level);
  way.balance = estimate(ratios(way.works["none"], alone), level);
}

void judge(KernelPoint& point, double level) {
  for (KernelWay& way : point.ways) judge_way(way, level);
  for (std::size_t i = 0; i < point.ways.size(); ++i) {
    const auto& seconds = point.ways[i].seconds.value;
    if (!seconds) continue;
    if (!point.fastest || seconds < point.ways[*point.fastest].seconds.value) point.fastest = i;
  }
  if (!point.fastest) return;
  const Replicates fastest = point.ways[*point.fastest].works[point.ways[*point.fastest].best];
  for (KernelWay& way : point.ways) {
    if (!way.best.empty()) way.to_fastest = estimate(ratios(way.works[way.best], fastest), level);
  }
}

}  // namespace

bool is_of_kernel(const Point& point) {
  return point.parameters.contains(way_parameter) && point.parameters.contains(work_parameter);
}

std::vector<KernelPoint> kernel_points(std::span<const Row> rows, std::span<const Record> records,
                                       double level) {
  std::map<std::string, std::size_t> launches;  // of each setting
  for (const Row& row : rows) {
    launches[row.setting] = std::max(launches[row.setting], row.records.size());
  }
  std::vector<KernelPoint> all;
  for (const Row& row : rows) {
    if (!is_of_kernel(row.point)) continue;
    const Replicate kind = replicate_of(row, records, launches[row.setting]);
    KernelWay& way = way_of(point_of(all, row, kind), parameter(row.point, way_parameter));
    way.works[parameter(row.point, work_parameter)] = replicates_of(row, records, kind);
    if (way.reason.empty()) way.reason = row.reason;
  }
  for (KernelPoint& point : all) judge(point, level);
  return all;
}

std::string bound_of(const KernelPoint& point) {
  const KernelWay* const fastest = point.fastest_way();
  if (fastest == nullptr || !fastest->balance.value) return "";
  Interval range{.low = *fastest->balance.value, .high = *fastest->balance.value};
  if (point.replicate != Replicate::simulation) {
    if (!fastest->balance.interval) return "";
    range = *fastest->balance.interval;
  }
  if (range.low > 1) return "communication";
  return range.high < 1 ? "computing" : "";
}

}  // namespace hockney::report
