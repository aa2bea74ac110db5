#include "report/paired_rows.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/point.hpp"

namespace hockney::report {
namespace {

/// Empty where the point has no such parameter.
std::string parameter(const Row& row, const char* key) {
  const auto named = row.point.parameters.find(key);
  return named == row.point.parameters.end() ? "" : named->second;
}

Point without(Point point, std::initializer_list<const char*> parameters) {
  for (const char* key : parameters) point.parameters.erase(key);
  return point;
}

/// Setting, curve and bytes.
using PlaceKey = std::tuple<std::string, std::string, std::int64_t>;

PlaceKey key_of(const Row& row, const Point& point) {
  return {row.setting, curve_name(point), point.bytes.value};
}

using RowsByPlace = std::map<PlaceKey, const Row*>;

/// A null pointer where there is none.
const Row* row_at(const RowsByPlace& rows, const PlaceKey& key) {
  const auto found = rows.find(key);
  return found == rows.end() ? nullptr : found->second;
}

std::optional<double> median_of(const Row* row) {
  return row == nullptr ? std::nullopt : row->median_seconds;
}

std::optional<double> seconds_in(const Row* row, std::size_t launch) {
  return row == nullptr ? std::nullopt : seconds_in(row->launches, launch);
}

PlaceKey timing_key(const Row& row) { return key_of(row, without(row.point, {timing_parameter})); }

std::pair<std::string, std::string> timing_curve(const Row& row) {
  return {row.setting, curve_name(without(row.point, {timing_parameter}))};
}

void add_ratios(TimingRow& row, double level) {
  for (SuiteTime& time : row.suites) {
    time.ratios = launch_ratios(time.row.launches, row.own.launches);
    time.ratio = median(time.ratios);
    time.ratio_interval = quantile_interval(time.ratios, 0.5, level);
  }
}

}  // namespace

TimedRows timed_rows(const std::vector<Row>& rows, double level) {
  using CurveNames = std::set<std::pair<std::string, std::string>>;
  CurveNames own;
  CurveNames timed;  // in both ways
  for (const Row& row : rows) {
    if (!is_of_other_suite(row.point)) own.insert(timing_curve(row));
  }
  for (const Row& row : rows) {
    const bool is_both = is_of_other_suite(row.point) && own.contains(timing_curve(row));
    if (is_both) timed.insert(timing_curve(row));
  }
  TimedRows parted;
  std::map<PlaceKey, std::size_t> places;  // in parted.compared
  for (const Row& row : rows) {
    if (!timed.contains(timing_curve(row))) {
      parted.alone.push_back(row);
      continue;
    }
    const auto [place, is_new] = places.try_emplace(timing_key(row), parted.compared.size());
    if (is_new) {
      parted.compared.push_back({.own = {.point = without(row.point, {timing_parameter}),
                                         .setting = row.setting,
                                         .reason = "it has times of other suites only"}});
    }
    TimingRow& together = parted.compared[place->second];
    if (is_of_other_suite(row.point)) {
      together.suites.push_back({.suite = parameter(row, timing_parameter), .row = row});
    } else {
      together.own = row;
    }
  }
  for (TimingRow& row : parted.compared) add_ratios(row, level);
  return parted;
}

namespace {

constexpr std::string_view line_floor = "floor-cacheline";
constexpr std::string_view memcpy_floor = "floor-memcpy";
constexpr std::string_view process_vm_floor = "floor-process-vm";

/// The place of a floor of the point: the same but for the operation. A cache line carries no data,
/// so that it has neither size nor cache state.
PlaceKey floor_key(const Row& row, std::string_view floor) {
  Point point = row.point;
  point.operation = floor;
  if (floor == line_floor) {
    point.bytes = {};
    point.parameters.clear();
  }
  return key_of(row, point);
}

/// MPI / the floor of the path proven in it, in every launch that has both.
std::vector<double> multiples_of(const Row& mpi, const Row* memcpy, const Row* process_vm) {
  std::vector<double> multiples;
  for (const LaunchMedian& launch : mpi.launches) {
    const bool is_known = launch.path == "shm" || launch.path == "cma";
    const Row* const floor = launch.path == "shm" ? memcpy : process_vm;
    const auto seconds = is_known ? seconds_in(floor, launch.launch) : std::nullopt;
    if (seconds) multiples.push_back(launch.seconds / *seconds);
  }
  return multiples;
}

}  // namespace

bool is_floor(const Point& point) { return point.operation.starts_with("floor-"); }

PathRows path_rows(const std::vector<Row>& rows, double level) {
  RowsByPlace floors;
  for (const Row& row : rows) {
    if (is_floor(row.point)) floors[key_of(row, row.point)] = &row;
  }
  PathRows parted;
  for (const Row& row : rows) {
    if (is_floor(row.point)) continue;
    const Row* const line = row_at(floors, floor_key(row, line_floor));
    const Row* const memcpy = row_at(floors, floor_key(row, memcpy_floor));
    const Row* const process_vm = row_at(floors, floor_key(row, process_vm_floor));
    if (line == nullptr && memcpy == nullptr && process_vm == nullptr) {
      parted.alone.push_back(row);
      continue;
    }
    PathRow& path =
        parted.compared.emplace_back(PathRow{.mpi = row,
                                             .line_seconds = median_of(line),
                                             .memcpy_seconds = median_of(memcpy),
                                             .process_vm_seconds = median_of(process_vm),
                                             .multiples = multiples_of(row, memcpy, process_vm)});
    path.multiple = median(path.multiples);
    path.multiple_interval = quantile_interval(path.multiples, 0.5, level);
  }
  // Floors that nothing was measured beside have tables of their own.
  if (parted.compared.empty()) parted.alone = rows;
  return parted;
}

std::vector<DisturbedRow> disturbed_rows(const std::vector<Row>& rows,
                                         const Disturbance& disturbance, double level) {
  const auto key = [&](const Row& row) {
    return key_of(row, without(row.point, {disturbance.parameter}));
  };
  RowsByPlace alone;
  for (const Row& row : rows) {
    if (parameter(row, disturbance.parameter) == disturbance.none) alone[key(row)] = &row;
  }
  std::vector<DisturbedRow> all;
  for (const Row& row : rows) {
    const std::string value = parameter(row, disturbance.parameter);
    if (value.empty() || value == disturbance.none) continue;
    const Row* const single = row_at(alone, key(row));
    DisturbedRow& made = all.emplace_back(
        DisturbedRow{.met = row, .value = value, .alone_seconds = median_of(single)});
    made.met.point = without(row.point, {disturbance.parameter});
    if (single != nullptr) made.factors = launch_ratios(row.launches, single->launches);
    made.factor = median(made.factors);
    made.interval = quantile_interval(made.factors, 0.5, level);
  }
  return all;
}

namespace {

Point without_work(const Row& row) { return without(row.point, {work_parameter, tests_parameter}); }

/// nullopt where the launch lacks one of the three times.
std::optional<double> overlap_of(const LaunchMedian& both, const Row* pure, const Row* work) {
  const auto pure_seconds = seconds_in(pure, both.launch);
  const auto work_seconds = seconds_in(work, both.launch);
  if (!pure_seconds || !work_seconds) return std::nullopt;
  return 1 - (both.seconds - *work_seconds) / *pure_seconds;
}

}  // namespace

std::vector<OverlapRow> overlap_rows(const std::vector<Row>& rows, double level) {
  std::map<std::string, RowsByPlace> by_work;  // "none", "alone", "during"
  for (const Row& row : rows) {
    by_work[parameter(row, work_parameter)][key_of(row, without_work(row))] = &row;
  }
  std::vector<OverlapRow> all;
  for (const Row& row : rows) {
    if (parameter(row, work_parameter) != "during") continue;
    const PlaceKey key = key_of(row, without_work(row));
    const Row* const pure = row_at(by_work["none"], key);
    const Row* const work = row_at(by_work["alone"], key);
    OverlapRow& made = all.emplace_back(OverlapRow{.both = row,
                                                   .tests = parameter(row, tests_parameter),
                                                   .pure_seconds = median_of(pure),
                                                   .work_seconds = median_of(work)});
    made.both.point = without_work(row);
    for (const LaunchMedian& both : row.launches) {
      if (const auto overlap = overlap_of(both, pure, work)) made.overlaps.push_back(*overlap);
    }
    made.overlap = median(made.overlaps);
    made.interval = quantile_interval(made.overlaps, 0.5, level);
  }
  return all;
}

}  // namespace hockney::report
