#include "health/nights/make_night.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/content_digest.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "verdicts/fleet/host_pairs.hpp"
#include "health/nights/curve_figures.hpp"
#include "health/nights/other_figures.hpp"
#include "models/curves.hpp"

namespace hockney::health {
namespace {

using Facts = std::map<std::string, std::string>;

/// More hosts than these are told by their number and a digest.
constexpr std::size_t hosts_by_name = 8;

Facts facts_of(const Record& record) {
  const Provenance& provenance = record.provenance;
  Facts facts{{"mpi.library", provenance.mpi.library},
              {"mpi.standard", provenance.mpi.standard},
              {"hockney.version", provenance.build.version},
              {"hockney.git_revision", provenance.build.git_revision},
              {"hockney.compiler", provenance.build.compiler},
              {"hockney.flags", provenance.build.flags},
              {"clock.source", record.clock.source}};
  for (const auto& [name, value] : provenance.mpi.settings) facts["mpi.setting." + name] = value;
  for (const auto& [name, value] : provenance.environment) facts["environment." + name] = value;
  return facts;
}

/// The different values of all hosts of all launches.
class HostFacts {
 public:
  void add(const Host& host) {
    values_["host.cpu_model"].insert(host.cpu_model);
    values_["host.cpus"].insert(std::to_string(host.cpus));
    values_["host.kernel"].insert(host.kernel);
    values_["host.governor"].insert(host.governor.empty() ? "none" : host.governor);
    values_["host.clocksource"].insert(host.clocksource);
    values_["host.topology"].insert(host.topology_digest);
    hosts_.insert(host.name);
  }

  void put_into(Facts& facts) const {
    for (const auto& [name, values] : values_) {
      facts[name] = join({values.begin(), values.end()}, " | ");
    }
    const std::string names = join({hosts_.begin(), hosts_.end()}, ",");
    facts["hosts"] = hosts_.size() <= hosts_by_name
                         ? names
                         : std::to_string(hosts_.size()) + " hosts, " + content_digest(names);
  }

 private:
  std::map<std::string, std::set<std::string>> values_;
  std::set<std::string> hosts_;
};

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

void add_figures(Night& night, std::vector<NightFigure> figures, const std::string& environment) {
  for (NightFigure& figure : figures) {
    figure.value.day = night.day;
    figure.value.environment = environment;
    night.figures.push_back(std::move(figure));
  }
}

void add_environment(Night& night, const Environment& environment) {
  if (std::ranges::find(night.environments, environment) == night.environments.end()) {
    night.environments.push_back(environment);
  }
}

}  // namespace

Environment environment_of(std::span<const Record> launches) {
  Facts facts;
  HostFacts hosts;
  for (const Record& record : launches) {
    Facts own = facts_of(record);
    for (const Host& host : record.provenance.hosts) hosts.add(host);
    if (&record == &launches.front()) {
      facts = std::move(own);
      continue;
    }
    std::erase_if(facts, [&](const auto& fact) {
      const auto other = own.find(fact.first);
      return other == own.end() || other->second != fact.second;
    });
  }
  if (!launches.empty()) hosts.put_into(facts);
  std::string digest = content_digest(nlohmann::json(facts).dump());
  return {.digest = std::move(digest), .facts = std::move(facts)};
}

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

Night make_night(std::int64_t day, const std::string& campaign, std::vector<Record> records) {
  Night night{.day = day,
              .campaign = campaign,
              .records = {},
              .environments = {},
              .figures = {},
              .pairs = {},
              .faults = find_faults(records)};
  const auto settings = launches_by_setting(std::move(records));
  std::vector<models::Curves> curves;  // of each setting
  for (const SettingLaunches& setting : settings) {
    curves.push_back(models::collect_curves(setting.launches));
  }
  const auto idle = static_cast<std::size_t>(
      std::ranges::find(settings, false, &SettingLaunches::loaded) - settings.begin());
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const SettingLaunches& setting = settings[i];
    const Environment environment = environment_of(setting.launches);
    add_environment(night, environment);
    add_figures(night, curve_figures(setting.launches, curves[i], setting.name),
                environment.digest);
    add_figures(night, other_figures(setting.launches, setting.name), environment.digest);
    if (setting.loaded && idle < settings.size()) {
      add_figures(night, congestion_figures(curves[i], curves[idle], setting.name),
                  environment.digest);
    }
    const std::vector<fleet::NightPair> pairs = fleet::host_pairs(setting.launches, setting.name);
    add_figures(night, node_figures(pairs), environment.digest);
    night.pairs.insert(night.pairs.end(), pairs.begin(), pairs.end());
  }
  return night;
}

}  // namespace hockney::health
