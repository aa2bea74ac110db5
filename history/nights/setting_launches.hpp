#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

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

}  // namespace hockney
