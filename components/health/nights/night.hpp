#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "components/health/history/database.hpp"
#include "components/health/nights/node_launches.hpp"
#include "core/record.hpp"

namespace hockney::health {

/// The setting of a record's series. Names of imported settings say what distinguishes them from
/// other runs of the same import; without it they begin with the procedure.
std::string setting_of(const Record& record);

/// "campaign:setting", as in names of series; "campaign" for the setting "default", which is that
/// of campaigns without settings; empty for launches by hand.
std::string series_setting(const Record& record);

/// Environment of one setting's launches: MPI library, its settings, environment variables, hosts,
/// kernels, governors, and the build of hockney. Facts of hosts are the distinct values of all
/// hosts, joined. Settings that differ between the launches of a night are left out, as are loads
/// and command lines.
Environment environment_of(std::span<const Record> launches);

/// The complete launches of one setting in one night.
struct SettingLaunches {
  std::string setting;  ///< as named by the campaign; empty for launches by hand
  std::string name;     ///< "campaign:setting", as in names of series; empty for launches by hand
  bool loaded = false;  ///< all pairs exchanged messages at the same time
  std::vector<Record> launches;
};

/// Launches by setting, in order of appearance. InputError if a setting ran under two MPI
/// libraries, since their figures must not be mixed, or if an import found runs of one point to be
/// of different settings: their names depend on what was imported together, those of series not.
std::vector<SettingLaunches> launches_by_setting(std::vector<Record> records);

/// Launches in which every node measured itself, by setting.
using NodeNights = std::map<std::string, NodeLaunches>;

/// The night of one campaign from its complete launches, without the list of records. InputError if
/// a setting ran under two MPI libraries.
Night make_night(std::int64_t day, const std::string& campaign, std::vector<Record> records,
                 NodeNights nodes = {});

}  // namespace hockney::health
