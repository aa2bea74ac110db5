#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/launches.hpp"

namespace hockney {

/// A ping-pong between two ranks.
inline Point pair_point(std::int64_t bytes, int from, int to, const std::string& hop) {
  Point point = simple_point("pingpong", bytes);
  point.hop = hop;
  point.pair = {from, to};
  return point;
}

/// Launches of a setting whose ping-pong takes `factor` (1 us + n / 1 GB/s) and a thousandth more
/// in each launch than in the one before, at 1, 4, ... 64 KiB.
inline std::vector<Record> ping_pongs(int launches, double factor = 1,
                                      const std::string& setting = "default") {
  std::vector<Record> records;
  for (int launch = 0; launch < launches; ++launch) {
    Record record = launch_of(setting);
    record.campaign->launch = launch;
    for (std::int64_t bytes = 1; bytes <= 65536; bytes *= 4) {
      const double seconds = factor * (1e-6 + static_cast<double>(bytes) * 1e-9);
      add_measured(record, pair_point(bytes, 0, 1, "l3"), seconds * (1 + 0.001 * launch));
    }
    records.push_back(std::move(record));
  }
  return records;
}

/// One launch of every pair of so many ranks at 8 bytes: 1 us, and 2 us where their numbers are odd
/// and even.
inline Record all_pairs(int ranks) {
  Record record = launch_of("default");
  for (int from = 0; from < ranks; ++from) {
    for (int to = from + 1; to < ranks; ++to) {
      const bool is_far = (to - from) % 2 != 0;
      add_measured(record, pair_point(8, from, to, is_far ? "cross-node" : "l3"),
                   is_far ? 2e-6 : 1e-6);
    }
  }
  return record;
}

}  // namespace hockney
