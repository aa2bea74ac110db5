#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "health/history/night.hpp"

namespace hockney::health {

/// What the launches of one setting ran in: MPI library, its settings, the environment that steers
/// it, hosts, kernels, governors, and the build of hockney. Facts of hosts are the different values
/// of all hosts, joined. A setting that differs between the launches of one night is no fact of the
/// night and left out, as are loads and command lines.
Environment environment_of(std::span<const Record> launches);

/// The complete launches of one setting in one night.
struct SettingLaunches {
  std::string setting;  ///< as the campaign calls it; empty for launches by hand
  std::string name;     ///< "campaign:setting", as series have it; empty for launches by hand
  bool loaded = false;  ///< all pairs exchanged messages at the same time
  std::vector<Record> launches;
};

/// By setting, in order of appearance. InputError when a setting ran under two MPI libraries: their
/// mixture is no night of either.
std::vector<SettingLaunches> launches_by_setting(std::vector<Record> records);

/// What the complete launches of one campaign in one night say: all but the records that the night
/// was made of. InputError when a setting ran under two MPI libraries.
Night make_night(std::int64_t day, const std::string& campaign, std::vector<Record> records);

}  // namespace hockney::health
