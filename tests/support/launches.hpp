#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// A complete launch of a setting, without points.
inline Record launch_of(const std::string& setting) {
  return {.campaign = CampaignPlace{.name = "test", .setting = setting}};
}

inline Point simple_point(const std::string& operation, std::int64_t bytes) {
  return {.operation = operation, .bytes = {bytes}, .ranks = 2};
}

/// Plans a point and gives it a series whose samples are all `seconds`.
inline void add_measured(Record& record, const Point& point, double seconds,
                         const std::vector<std::string>& flags = {}) {
  const std::int64_t bytes = point.bytes.value;
  record.points.own().push_back({.point = point, .bytes_per_sample = bytes});
  Series series{.point = point,
                .samples_seconds = std::vector<double>(3, seconds),
                .blocks = {3},
                .bytes_per_sample = bytes,
                .flags = flags};
  series.summary = summarise(series);
  record.series.push_back(series);
}

inline void add_skipped(Record& record, const Point& point, const std::string& reason) {
  record.points.own().push_back({.point = point,
                                 .bytes_per_sample = point.bytes.value,
                                 .status = PointStatus::skipped,
                                 .reason = reason});
}

/// A launch of ping-pongs, outside of a campaign, between two ranks of a host that share a cache:
/// alpha
/// + beta x bytes.
inline Record pingpong_launch(double alpha_seconds, double beta_seconds_per_byte) {
  Record record{.procedure = "pingpong", .started_utc = "2026-01-01T00:00:00Z"};
  record.ranks = {{.rank = 0, .host = "h"}, {.rank = 1, .host = "h"}};
  for (std::int64_t bytes = 8; bytes <= 1 << 20; bytes *= 8) {
    Point point = simple_point("pingpong", bytes);
    point.hop = "l3";
    point.pair = {0, 1};
    add_measured(record, point, alpha_seconds + beta_seconds_per_byte * static_cast<double>(bytes));
  }
  return record;
}

}  // namespace hockney
