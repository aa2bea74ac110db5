#include "history/nights/setting_launches.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace hockney {
namespace {

/// The setting "default" is that of campaigns which have no others.
std::string name_of(const CampaignPlace& place) {
  return place.setting == "default" ? place.name : place.name + ":" + place.setting;
}

bool is_loaded(const Record& record) {
  return std::ranges::find(record.provenance.command_line, "--concurrent") !=
         record.provenance.command_line.end();
}

/// What was found is no part of what a series is (core/series_name.hpp).
void forget_algorithms(Record& record) {
  for (Series& series : record.series) series.point.algorithm.reset();
}

void require_one_library(const SettingLaunches& setting) {
  const std::string& first = setting.launches.front().provenance.mpi.library;
  for (const Record& record : setting.launches) {
    const std::string& other = record.provenance.mpi.library;
    if (other == first) continue;
    throw InputError({"a night of two MPI libraries", "'" + first + "' and '" + other + "'",
                      "give the campaign of each library a name of its own"});
  }
}

}  // namespace

std::vector<SettingLaunches> launches_by_setting(std::vector<Record> records) {
  std::vector<SettingLaunches> settings;
  for (Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    const CampaignPlace place = record.campaign.value_or(CampaignPlace{});
    auto known = std::ranges::find(settings, place.setting, &SettingLaunches::setting);
    if (known == settings.end()) {
      settings.push_back({.setting = place.setting,
                          .name = record.campaign ? name_of(place) : "",
                          .loaded = is_loaded(record),
                          .launches = {}});
      known = std::prev(settings.end());
    }
    forget_algorithms(record);
    known->launches.push_back(std::move(record));
  }
  for (const SettingLaunches& setting : settings) require_one_library(setting);
  return settings;
}

}  // namespace hockney
