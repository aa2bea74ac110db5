#include "report/rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/faults.hpp"
#include "core/samples.hpp"
#include "core/text.hpp"

namespace hockney::report {
namespace {

/// Order of rows: setting and curve, both as they appear first, then bytes.
using Key = std::tuple<std::size_t, std::size_t, std::int64_t>;

/// The names seen so far, numbered in order of appearance.
class Numbering {
 public:
  std::size_t operator()(const std::string& name) {
    return numbers_.try_emplace(name, numbers_.size()).first->second;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
};

/// Adds what is not there yet.
void raise(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
}

/// The median over launches of a quantile that every launch could tell; else nullopt.
std::optional<double> median_tail(const std::vector<TailQuantiles>& launches,
                                  std::optional<double> TailQuantiles::*tail) {
  std::vector<double> known;
  for (const TailQuantiles& tails : launches) {
    if (const auto& value = tails.*tail) known.push_back(*value);
  }
  return known.size() == launches.size() ? median(known) : std::nullopt;
}

/// Every rank's own time in one launch: median over the blocks that count.
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

/// A row, and what its launches say while they are added.
struct UnfinishedRow {
  Row row;
  bool has_series = false;
  PointLaunches launches;
  std::vector<double> skews_seconds;
  std::vector<double> page_faults;
  std::vector<double> shortest_seconds;  ///< of the ranks' own times
  std::vector<double> longest_seconds;
  std::vector<TailQuantiles> tails;

  void add(const PlannedPoint& planned) {
    row.bytes_per_sample = planned.bytes_per_sample;
    row.bus_bytes_per_sample = planned.bus_bytes_per_sample;
    if (planned.status != PointStatus::measured) row.reason = planned.reason;
  }

  /// Nothing of a series with a fault but its flags and the reason.
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
    std::set<UnfinishedRow*> own;  // the rows this launch has to do with
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

  Numbering settings_;
  Numbering curves_;
  std::map<Key, UnfinishedRow> rows_;
};

}  // namespace

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
  return inert((row.setting.empty() ? "" : "setting " + row.setting + "  ") +
               curve_name(row.point));
}

bool same_curve(const Row& a, const Row& b) {
  return a.setting == b.setting && curve_name(a.point) == curve_name(b.point);
}

std::vector<Row> campaign_rows(std::span<const Record> records, double level) {
  Collector collector;
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    if (records[launch].status == LaunchStatus::complete) collector.add(launch, records[launch]);
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

}  // namespace hockney::report
