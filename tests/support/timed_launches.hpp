#pragma once

#include <string>
#include <vector>

#include "core/point.hpp"
#include "tests/support/launches.hpp"

namespace hockney {

/// The same point, timed as `suite` would.
inline Point timed_like(const std::string& suite, Point point) {
  point.parameters[timing_parameter] = suite;
  return point;
}

/// Launches of an allreduce of 8 B whose time is 1, 2, 3 ... us and that OMB would print as half of
/// that and IMB as 1.5 times that: the ratios are the same in every launch, though launches differ.
inline std::vector<Record> timed_launches(int launches, const std::string& setting = "default") {
  std::vector<Record> records;
  for (int launch = 1; launch <= launches; ++launch) {
    Record record = launch_of(setting);
    record.campaign->launch = launch;
    const Point point = simple_point("allreduce", 8);
    const double seconds = launch * 1e-6;
    add_measured(record, point, seconds);
    add_measured(record, timed_like("osu", point), 0.5 * seconds);
    add_measured(record, timed_like("imb", point), 1.5 * seconds);
    records.push_back(record);
  }
  return records;
}

}  // namespace hockney
