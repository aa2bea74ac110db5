#include "report/timing_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/timing_parameter.hpp"

namespace hockney {
namespace {

/// Empty for hockney's own way.
std::string timing_of(const Row& row) {
  const auto name = row.point.parameters.find(timing_parameter);
  return name == row.point.parameters.end() ? "" : name->second;
}

Point without_timing(Point point) {
  point.parameters.erase(timing_parameter);
  return point;
}

/// Setting and curve, whoever timed it.
using CurveKey = std::pair<std::string, std::string>;
using TimingKey = std::tuple<CurveKey, std::int64_t>;

CurveKey curve_key(const Row& row) { return {row.setting, curve_name(without_timing(row.point))}; }
TimingKey timing_key(const Row& row) { return {curve_key(row), row.point.bytes.value}; }

/// What one launch says of each point, by timing.
using LaunchTimes = std::map<TimingKey, std::map<std::string, double>>;

LaunchTimes times_of(const Record& launch) {
  LaunchTimes times;
  for (const Row& row : campaign_rows({&launch, 1})) {
    if (row.median_seconds) times[timing_key(row)][timing_of(row)] = *row.median_seconds;
  }
  return times;
}

std::vector<double> ratios_of(const std::vector<LaunchTimes>& launches, const Row& row) {
  std::vector<double> ratios;
  for (const LaunchTimes& launch : launches) {
    const auto times = launch.find(timing_key(row));
    if (times == launch.end()) continue;
    const auto own = times->second.find("");
    const auto suite = times->second.find(timing_of(row));
    const bool both = own != times->second.end() && suite != times->second.end();
    if (both && own->second > 0) ratios.push_back(suite->second / own->second);
  }
  return ratios;
}

SuiteTime compared(const std::vector<LaunchTimes>& launches, const Row& row) {
  SuiteTime time{.suite = timing_of(row), .row = row, .ratios = ratios_of(launches, row)};
  time.ratio = median(time.ratios);
  time.ratio_interval = quantile_interval(time.ratios);
  return time;
}

}  // namespace

TimedRows timed_rows(std::span<const Record> records, double level) {
  const std::vector<Row> rows = campaign_rows(records, level);
  std::set<CurveKey> timed;
  for (const Row& row : rows) {
    if (!timing_of(row).empty()) timed.insert(curve_key(row));
  }
  TimedRows parted;
  if (timed.empty()) return {.alone = rows};
  std::vector<LaunchTimes> launches;
  for (const Record& record : records) launches.push_back(times_of(record));
  std::map<TimingKey, std::size_t> places;  // in parted.compared
  for (const Row& row : rows) {
    if (!timed.contains(curve_key(row))) {
      parted.alone.push_back(row);
      continue;
    }
    const auto [place, is_new] = places.try_emplace(timing_key(row), parted.compared.size());
    if (is_new) {
      parted.compared.push_back({.own = {.point = without_timing(row.point),
                                         .setting = row.setting,
                                         .reason = "it has times of other suites only"}});
    }
    TimingRow& together = parted.compared[place->second];
    if (timing_of(row).empty()) {
      together.own = row;
    } else {
      together.suites.push_back(compared(launches, row));
    }
  }
  return parted;
}

}  // namespace hockney
