#include "report/rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/calm.hpp"

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

void raise(Row& row, const std::vector<std::string>& flags) {
  for (const std::string& flag : flags) {
    if (std::ranges::find(row.flags, flag) == row.flags.end()) row.flags.push_back(flag);
  }
}

class Collector {
 public:
  void add(const Record& record) {
    const std::string setting = record.campaign ? record.campaign->setting : "";
    std::map<Row*, std::vector<double>> medians;  // of the rows this launch has to do with
    for (const PlannedPoint& planned : record.points) {
      Row& row = row_of(setting, planned.point);
      row.bytes_per_sample = planned.bytes_per_sample;
      if (planned.status != PointStatus::measured) row.reason = planned.reason;
      medians.try_emplace(&row);
    }
    for (const Series& series : record.series) {
      Row& row = row_of(setting, series.point);
      std::vector<double>& of_row = medians[&row];
      if (series.summary.median_seconds) of_row.push_back(*series.summary.median_seconds);
      if (series.summary.skew_seconds) skews_[&row].push_back(*series.summary.skew_seconds);
      row.visits += static_cast<int>(series.visits.size());
      row.calm_visits += static_cast<int>(std::ranges::count(calm_visits(series), true));
      raise(row, series.flags);
    }
    for (const auto& [row, of_row] : medians) {
      if (const auto middle = median(of_row)) row->launch_medians_seconds.push_back(*middle);
      raise(*row, record.flags);
    }
  }

  std::vector<Row> finish() {
    std::vector<Row> finished;
    for (auto& [key, row] : rows_) {
      if (!row.launch_medians_seconds.empty()) row.reason.clear();
      row.skew_seconds = median(skews_[&row]);
      row.median_seconds = median(row.launch_medians_seconds);
      row.interval_seconds = quantile_interval(row.launch_medians_seconds);
      finished.push_back(std::move(row));
    }
    return finished;
  }

 private:
  Row& row_of(const std::string& setting, const Point& point) {
    const Key key{settings_(setting), curves_(curve_name(point)), point.bytes.value};
    const auto [row, is_new] = rows_.try_emplace(key);
    if (is_new) {
      row->second.point = point;
      row->second.setting = setting;
    }
    return row->second;
  }

  Numbering settings_;
  Numbering curves_;
  std::map<Key, Row> rows_;
  std::map<const Row*, std::vector<double>> skews_;
};

}  // namespace

std::optional<BytesPerSecond> Row::bandwidth() const {
  if (!median_seconds || *median_seconds <= 0 || bytes_per_sample == 0) return std::nullopt;
  return Bytes{bytes_per_sample} / Seconds{*median_seconds};
}

std::vector<Row> campaign_rows(std::span<const Record> records) {
  Collector collector;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete) collector.add(record);
  }
  return collector.finish();
}

}  // namespace hockney
