#include "report/rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/faults.hpp"
#include "core/point.hpp"
#include "core/samples.hpp"
#include "core/text.hpp"

namespace hockney::report {
namespace {

/// Order of rows: setting and curve in order of appearance, then bytes.
using Key = std::tuple<std::size_t, std::size_t, std::int64_t>;

/// The names seen so far, numbered in order of appearance.
class NameNumbers {
 public:
  std::size_t operator()(const std::string& name) {
    return numbers_.try_emplace(name, numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

/// Adds names that are missing.
void raise(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
}

/// The median over launches of a tail quantile; nullopt if a launch lacks it.
std::optional<double> median_tail(const std::vector<TailQuantiles>& launches,
                                  std::optional<double> TailQuantiles::*tail) {
  std::vector<double> known;
  for (const TailQuantiles& tails : launches) {
    if (const auto& value = tails.*tail) known.push_back(*value);
  }
  return known.size() == launches.size() ? median(known) : std::nullopt;
}

/// Mean, minimum and maximum of all samples of the launches added.
struct AllSamples {
  double sum_seconds = 0;
  std::int64_t number = 0;
  std::int64_t operations = 0;
  std::optional<double> least_seconds;
  std::optional<double> most_seconds;

  /// Leaves out a series without these figures.
  void add(const Series& series) {
    const auto& [mean, least, most] =
        std::tie(series.summary.mean_seconds, series.summary.minimum_seconds,
                 series.summary.maximum_seconds);
    if (!mean || !least || !most) return;
    const auto samples =
        std::accumulate(series.blocks.begin(), series.blocks.end(), std::int64_t{0});
    sum_seconds += *mean * static_cast<double>(samples);
    number += samples;
    operations += samples * series.batch;
    least_seconds = std::min(least_seconds.value_or(*least), *least);
    most_seconds = std::max(most_seconds.value_or(*most), *most);
  }

  [[nodiscard]] std::optional<double> mean_seconds() const {
    if (number == 0) return std::nullopt;
    return sum_seconds / static_cast<double>(number);
  }
};

/// Median of every rank's times in one launch, over the counted blocks.
std::vector<double> local_medians(const Series& series) {
  if (series.locals_seconds.size() != series.blocks.size()) return {};
  const std::vector<bool> counted = counted_blocks(series);
  std::vector<std::vector<double>> of_ranks;
  for (std::size_t block = 0; block < counted.size(); ++block) {
    const std::vector<double>& locals = series.locals_seconds[block];
    if (!counted[block]) continue;
    of_ranks.resize(std::max(of_ranks.size(), locals.size()));
    for (std::size_t rank = 0; rank < locals.size(); ++rank) of_ranks[rank].push_back(locals[rank]);
  }
  std::vector<double> medians;
  for (const std::vector<double>& times : of_ranks) medians.push_back(median_of_some(times));
  return medians;
}

/// A row, and the launch values collected for it.
struct UnfinishedRow {
  Row row;
  bool has_series = false;
  PointLaunches launches;
  std::vector<double> skews_seconds;
  std::vector<double> page_faults;
  std::vector<double> shortest_seconds;  ///< of the ranks' own times
  std::vector<double> longest_seconds;
  std::vector<TailQuantiles> tails;
  AllSamples all;

  void add(const PlannedPoint& planned) {
    row.bytes_per_sample = planned.bytes_per_sample;
    row.bus_bytes_per_sample = planned.bus_bytes_per_sample;
    if (planned.status != PointStatus::measured) row.reason = planned.reason;
  }

  /// Of a faulty series only the flags and the reason are kept.
  void add(std::size_t launch, const Record& record, const Series& series) {
    raise(row.flags, series.flags);
    if (const auto seconds = launch_median(record, series)) {
      launches.add(launch, *seconds, series.point.path);
    } else {
      row.reason = why_no_median(record, series);
    }
    row.deliveries_checked += series.deliveries_checked.value_or(0);
    if (fault_of(record, series)) return;
    const Summary& summary = series.summary;
    add_path(series);
    if (summary.skew_seconds) skews_seconds.push_back(*summary.skew_seconds);
    if (summary.page_faults) page_faults.push_back(*summary.page_faults);
    tails.push_back(summary.tails);
    all.add(series);
    if (const std::vector<double> locals = local_medians(series); !locals.empty()) {
      shortest_seconds.push_back(std::ranges::min(locals));
      longest_seconds.push_back(std::ranges::max(locals));
    }
    row.blocks += static_cast<int>(series.blocks.size());
    row.warm_up_blocks += series.warm_up_blocks;
    row.undisturbed_blocks += static_cast<int>(std::ranges::count(counted_blocks(series), true));
    row.samples += counted(series).number;
    row.outliers += summary.outliers ? summary.outliers->count : 0;
  }

  Row finish(double level) && {
    row.launches = launches.medians();
    const std::vector<double> seconds = seconds_of(row.launches);
    if (!seconds.empty()) row.reason.clear();
    row.median_seconds = median(seconds);
    row.interval_seconds = quantile_interval(seconds, 0.5, level);
    row.mean_seconds = all.mean_seconds();
    row.min_seconds = all.least_seconds;
    row.max_seconds = all.most_seconds;
    row.operations = all.operations;
    row.skew_seconds = median(skews_seconds);
    row.page_faults = median(page_faults);
    row.shortest_local_seconds = median(shortest_seconds);
    row.longest_local_seconds = median(longest_seconds);
    row.tails = {.p90_seconds = median_tail(tails, &TailQuantiles::p90_seconds),
                 .p99_seconds = median_tail(tails, &TailQuantiles::p99_seconds),
                 .p999_seconds = median_tail(tails, &TailQuantiles::p999_seconds)};
    return std::move(row);
  }

 private:
  void add_path(const Series& series) {
    if (!has_series) row.point.path = series.point.path;
    has_series = true;
    keep_common_path(row.point, series.point);
    if (!series.point.path && !series.transport) return;
    raise(row.paths, {series.point.path.value_or("unproven")});
    if (!series.point.path) row.unproven_because = prove_path(*series.transport).reason;
  }
};

class Collector {
 public:
  void add(std::size_t launch, const Record& record) {
    const CampaignPlace place = record.campaign.value_or(CampaignPlace{});
    std::set<UnfinishedRow*> own;  // the rows of this launch
    for (const PlannedPoint& planned : record.points) {
      UnfinishedRow& row = row_of(place, planned.point);
      row.add(planned);
      own.insert(&row);
    }
    for (const Series& series : record.series) {
      UnfinishedRow& row = row_of(place, series.point);
      row.add(launch, record, series);
      own.insert(&row);
    }
    for (UnfinishedRow* const row : own) {
      row->row.records.push_back(launch);
      raise(row->row.flags, record.flags);
    }
  }

  std::vector<Row> finish(double level) && {
    std::vector<Row> finished;
    for (auto& [key, row] : rows_) finished.push_back(std::move(row).finish(level));
    return finished;
  }

 private:
  UnfinishedRow& row_of(const CampaignPlace& place, const Point& point) {
    const Key key{settings_(place.setting), curves_(curve_name(point)), point.bytes.value};
    const auto [found, is_new] = rows_.try_emplace(key);
    if (is_new) {
      Row& row = found->second.row;
      row.point = point;
      row.setting = place.setting;
      row.axes = place.axes;
    }
    return found->second;
  }

  NameNumbers settings_;
  NameNumbers curves_;
  std::map<Key, UnfinishedRow> rows_;
};

/// The value of a parameter; empty without it.
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

/// The row at a key; nullptr without one.
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

constexpr std::string_view line_floor = "floor-cacheline";
constexpr std::string_view memcpy_floor = "floor-memcpy";
constexpr std::string_view process_vm_floor = "floor-process-vm";

/// The key of a point's floor: the same point with another operation. A cache line carries no data,
/// so its floor has neither size nor cache state.
PlaceKey floor_key(const Row& row, std::string_view floor) {
  Point point = row.point;
  point.operation = floor;
  if (floor == line_floor) {
    point.bytes = {};
    point.parameters.clear();
  }
  return key_of(row, point);
}

/// Ratio of MPI to the floor of its path, for every launch with both.
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

Point without_work(const Row& row) { return without(row.point, {work_parameter, tests_parameter}); }

/// The overlap of one launch; nullopt if it lacks one of the three times.
std::optional<double> overlap_of(const LaunchMedian& both, const Row* pure, const Row* work) {
  const auto pure_seconds = seconds_in(pure, both.launch);
  const auto work_seconds = seconds_in(work, both.launch);
  if (!pure_seconds || !work_seconds) return std::nullopt;
  return 1 - (both.seconds - *work_seconds) / *pure_seconds;
}

}  // namespace

std::optional<Interval> Row::spread_seconds() const {
  if (interval_seconds || launches.size() < 2) return interval_seconds;
  const auto [least, most] = std::ranges::minmax(launches, {}, &LaunchMedian::seconds);
  return Interval{least.seconds, most.seconds, 1};
}

std::optional<BytesPerSecond> Row::bandwidth() const {
  if (!median_seconds || *median_seconds <= 0 || bytes_per_sample == 0) return std::nullopt;
  return Bytes{bytes_per_sample} / Seconds{*median_seconds};
}

std::optional<BytesPerSecond> Row::bus_bandwidth() const {
  const double bytes = bus_bytes_per_sample.value_or(0);
  if (!median_seconds || *median_seconds <= 0 || bytes <= 0) return std::nullopt;
  return BytesPerSecond{bytes / *median_seconds};
}

std::string curve_title(const Row& row) {
  const std::string curve = curve_name(row.point);
  return escaped(row.setting.empty() ? curve : fmt::format("setting {}  {}", row.setting, curve));
}

bool same_curve(const Row& a, const Row& b) {
  return a.setting == b.setting && curve_name(a.point) == curve_name(b.point);
}

std::vector<Row> campaign_rows(std::span<const Record> records, double level) {
  Collector collector;
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    const Record& record = records[launch];
    if (record.status == LaunchStatus::complete) collector.add(launch, record);
  }
  return std::move(collector).finish(level);
}

std::vector<Row> launch_rows(std::span<const Record> records) {
  std::vector<Row> rows;
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    if (records[launch].status != LaunchStatus::complete) continue;
    Collector collector;
    collector.add(launch, records[launch]);
    std::ranges::move(std::move(collector).finish(default_level), std::back_inserter(rows));
  }
  return rows;
}

TimedRows timed_rows(const std::vector<Row>& rows, double level) {
  using CurveNames = std::set<std::pair<std::string, std::string>>;
  CurveNames own;
  CurveNames timed;  // timed both ways
  for (const Row& row : rows) {
    if (!is_of_other_suite(row.point)) own.insert(timing_curve(row));
  }
  for (const Row& row : rows) {
    const bool is_both = is_of_other_suite(row.point) && own.contains(timing_curve(row));
    if (is_both) timed.insert(timing_curve(row));
  }
  TimedRows parted;
  std::map<PlaceKey, std::size_t> places;  // indices in parted.compared
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
  // Floors without measurements beside them get separate tables.
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
