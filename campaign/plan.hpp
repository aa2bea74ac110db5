#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hockney {

/// One launch to be made. `launch` counts from 1 within its setting and is also the block it is in.
struct PlannedLaunch {
  std::size_t setting = 0;  ///< index into the config's settings
  int launch = 1;
  std::uint64_t seed = 0;  ///< for the program's own random order

  friend bool operator==(const PlannedLaunch&, const PlannedLaunch&) = default;
};

/// Randomised complete blocks: each block holds every setting once, in random order, so that slow
/// drift of the machine falls on all settings alike. Pure: the same seed gives the same plan on
/// every machine, and a plan of more blocks begins with the plan of fewer.
std::vector<PlannedLaunch> plan_launches(std::size_t settings, int launches, std::uint64_t seed);

/// "default-007": the stem of everything this launch leaves behind.
std::string launch_name(const std::string& setting, int launch);

}  // namespace hockney
