#include "report/rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace hockney {
namespace {

/// Order of rows: setting and curve as they appear first, then bytes.
using Key = std::tuple<std::size_t, std::int64_t>;

class Collector {
 public:
  void add(const Record& record) {
    const std::string setting = record.campaign ? record.campaign->setting : "";
    for (const PlannedPoint& planned : record.points) {
      Row& row = row_of(setting, planned.point);
      row.bytes_per_sample = planned.bytes_per_sample;
      if (planned.status != PointStatus::measured) row.reason = planned.reason;
    }
    for (const Series& series : record.series) add(row_of(setting, series.point), series);
    for (auto& [key, row] : rows_) {
      for (const std::string& flag : record.flags) raise(row, flag);
    }
  }

  std::vector<Row> finish() {
    std::vector<Row> finished;
    for (auto& [key, row] : rows_) {
      if (!row.launch_medians_seconds.empty()) row.reason.clear();
      row.median_seconds = median(row.launch_medians_seconds);
      row.interval_seconds = quantile_interval(row.launch_medians_seconds);
      finished.push_back(std::move(row));
    }
    return finished;
  }

 private:
  Row& row_of(const std::string& setting, const Point& point) {
    const std::string curve = setting + "\n" + curve_name(point);
    const std::size_t index = curves_.try_emplace(curve, curves_.size()).first->second;
    const auto [row, is_new] = rows_.try_emplace(Key{index, point.bytes.value});
    if (is_new) {
      row->second.point = point;
      row->second.setting = setting;
    }
    return row->second;
  }

  static void add(Row& row, const Series& series) {
    if (series.summary.median_seconds) {
      row.launch_medians_seconds.push_back(*series.summary.median_seconds);
    }
    for (const std::string& flag : series.flags) raise(row, flag);
  }

  static void raise(Row& row, const std::string& flag) {
    if (std::ranges::find(row.flags, flag) == row.flags.end()) row.flags.push_back(flag);
  }

  std::map<std::string, std::size_t> curves_;
  std::map<Key, Row> rows_;
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
