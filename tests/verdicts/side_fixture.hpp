#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/launches.hpp"

namespace hockney::verdicts {

/// Launches 0, 1, ... of a setting, in which pingpong of so many bytes takes the times given [s].
inline std::vector<Record> sides_of(const std::string& setting,
                                    const std::map<std::int64_t, std::vector<double>>& times) {
  std::vector<Record> records(times.begin()->second.size(), launch_of(setting));
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    records[launch].campaign->launch = static_cast<int>(launch);
    for (const auto& [bytes, seconds] : times) {
      add_measured(records[launch], simple_point("pingpong", bytes), seconds.at(launch));
    }
  }
  return records;
}

/// The same with 8 bytes alone.
inline std::vector<Record> side(const std::string& setting, const std::vector<double>& seconds) {
  return sides_of(setting, {{8, seconds}});
}

}  // namespace hockney::verdicts
