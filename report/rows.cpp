#include "report/rows.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/samples.hpp"
#include "core/text.hpp"

namespace hockney {
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

/// The tails of several launches.
class LaunchTails {
 public:
  void add(const TailQuantiles& tails) {
    for (std::size_t i = 0; i < members.size(); ++i) values_[i].push_back(tails.*members[i]);
  }

  /// Medians over launches, of the quantiles that every launch could tell.
  [[nodiscard]] TailQuantiles medians() const {
    TailQuantiles tails;
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::vector<double> known;
      for (const auto& value : values_[i]) {
        if (value) known.push_back(*value);
      }
      if (known.size() == values_[i].size()) tails.*members[i] = median(known);
    }
    return tails;
  }

 private:
  static constexpr std::array members{&TailQuantiles::p90_seconds, &TailQuantiles::p99_seconds,
                                      &TailQuantiles::p999_seconds};

  std::array<std::vector<std::optional<double>>, members.size()> values_;
};

/// Every rank's own time in one launch: median over the visits that count.
std::vector<double> local_medians(const Series& series) {
  if (series.locals_seconds.size() != series.visits.size()) return {};
  const std::vector<bool> counted = counted_visits(series);
  std::vector<std::vector<double>> of_ranks;
  for (std::size_t visit = 0; visit < counted.size(); ++visit) {
    const std::vector<double>& locals = series.locals_seconds[visit];
    if (!counted[visit]) continue;
    of_ranks.resize(std::max(of_ranks.size(), locals.size()));
    for (std::size_t rank = 0; rank < locals.size(); ++rank) of_ranks[rank].push_back(locals[rank]);
  }
  std::vector<double> medians;
  for (const std::vector<double>& times : of_ranks) medians.push_back(median_of_some(times));
  return medians;
}

class Collector {
 public:
  explicit Collector(double level) : level_(level) {}

  void add(const Record& record) {
    const CampaignPlace place = record.campaign.value_or(CampaignPlace{});
    std::map<Row*, std::vector<double>> medians;  // of the rows this launch has to do with
    for (const PlannedPoint& planned : record.points) {
      Row& row = row_of(place, planned.point);
      row.bytes_per_sample = planned.bytes_per_sample;
      row.bus_bytes_per_sample = planned.bus_bytes_per_sample;
      if (planned.status != PointStatus::measured) row.reason = planned.reason;
      medians.try_emplace(&row);
    }
    for (const Series& series : record.series) {
      Row& row = row_of(place, series.point);
      std::vector<double>& of_row = medians[&row];
      add_path(row, series);
      if (series.summary.median_seconds) of_row.push_back(*series.summary.median_seconds);
      if (series.summary.skew_seconds) skews_[&row].push_back(*series.summary.skew_seconds);
      row.visits += static_cast<int>(series.visits.size());
      row.warm_up_visits += series.warm_up_visits;
      row.calm_visits += static_cast<int>(std::ranges::count(counted_visits(series), true));
      add_extremes(row, series);
      raise(row.flags, series.flags);
    }
    for (const auto& [row, of_row] : medians) {
      if (const auto middle = median(of_row)) row->launch_medians_seconds.push_back(*middle);
      raise(row->flags, record.flags);
    }
  }

  std::vector<Row> finish() {
    std::vector<Row> finished;
    for (auto& [key, row] : rows_) {
      if (!row.launch_medians_seconds.empty()) row.reason.clear();
      row.skew_seconds = median(skews_[&row]);
      row.page_faults = median(faults_[&row]);
      row.shortest_local_seconds = median(shortest_[&row]);
      row.longest_local_seconds = median(longest_[&row]);
      row.median_seconds = median(row.launch_medians_seconds);
      row.interval_seconds = quantile_interval(row.launch_medians_seconds, 0.5, level_);
      row.tails = tails_[&row].medians();
      finished.push_back(std::move(row));
    }
    return finished;
  }

 private:
  void add_extremes(Row& row, const Series& series) {
    const Summary& summary = series.summary;
    row.samples += counted(series).number;
    row.deliveries_checked += series.deliveries_checked.value_or(0);
    if (summary.page_faults) faults_[&row].push_back(*summary.page_faults);
    row.detours += summary.detours ? summary.detours->count : 0;
    tails_[&row].add(summary.tails);
    if (const std::vector<double> locals = local_medians(series); !locals.empty()) {
      shortest_[&row].push_back(std::ranges::min(locals));
      longest_[&row].push_back(std::ranges::max(locals));
    }
  }

  static void add_path(Row& row, const Series& series) {
    const bool is_first = row.visits == 0;
    if (is_first) row.point.path = series.point.path;
    keep_common_path(row.point, series.point);
    if (!series.point.path && !series.transport) return;
    raise(row.paths, {series.point.path.value_or("unproven")});
  }

  Row& row_of(const CampaignPlace& place, const Point& point) {
    const Key key{settings_(place.setting), curves_(curve_name(point)), point.bytes.value};
    const auto [row, is_new] = rows_.try_emplace(key);
    if (is_new) {
      row->second.point = point;
      row->second.setting = place.setting;
      row->second.axes = place.axes;
    }
    return row->second;
  }

  double level_;
  Numbering settings_;
  Numbering curves_;
  std::map<Key, Row> rows_;
  std::map<const Row*, std::vector<double>> skews_;
  std::map<const Row*, std::vector<double>> faults_;
  std::map<const Row*, std::vector<double>> shortest_;  ///< of the ranks' own times
  std::map<const Row*, std::vector<double>> longest_;
  std::map<const Row*, LaunchTails> tails_;
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

std::vector<Row> campaign_rows(std::span<const Record> records, double level) {
  Collector collector(level);
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete) collector.add(record);
  }
  return collector.finish();
}

}  // namespace hockney
