#include "components/health/nights/night.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "components/health/nights/figures.hpp"
#include "components/health/nights/host_figures.hpp"
#include "core/error.hpp"
#include "core/point.hpp"
#include "core/record_file.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"
#include "models/curves.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {
namespace {

using Facts = std::map<std::string, std::string>;

/// More hosts than this are listed by number and digest.
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

/// The distinct values of all hosts in all launches.
class HostFacts {
 public:
  void add(const Host& host) {
    for (const auto& [name, value] : host_facts(host)) {
      if (name != "host.serial") values_[name].insert(value);
    }
    values_["host.cpus"].insert(std::to_string(host.cpus));
    hosts_.insert(host.name);
  }

  void put_into(Facts& facts) const {
    for (const auto& [name, values] : values_) {
      facts[name] = join({values.begin(), values.end()}, " | ");
    }
    const std::string names = join({hosts_.begin(), hosts_.end()}, ",");
    facts["hosts"] = hosts_.size() <= hosts_by_name
                         ? names
                         : fmt::format("{} hosts, {}", hosts_.size(), content_digest(names));
  }

 private:
  std::map<std::string, std::set<std::string>> values_;
  std::set<std::string> hosts_;
};

bool is_loaded(const Record& record) {
  return std::ranges::find(record.provenance.command_line, "--concurrent") !=
         record.provenance.command_line.end();
}

/// The algorithm is a result and no part of a series' name (core/point.hpp).
void forget_algorithms(Record& record) {
  for (Series& series : record.series) series.point.algorithm.reset();
}

/// Runs that an import found to differ must not be launches of one series.
void require_one_import(const SettingLaunches& setting) {
  std::map<std::string, std::string> settings;  // by host and point
  for (const Record& record : setting.launches) {
    if (!is_imported(record)) continue;
    const std::string own = record.campaign ? record.campaign->setting : "";
    const std::string host =
        record.provenance.hosts.empty() ? "" : record.provenance.hosts.front().name;
    for (const Series& series : record.series) {
      const std::string point =
          fmt::format("{} {}", curve_name(series.point), series.point.bytes.value);
      const auto known = settings.try_emplace(host + '\n' + point, own).first;
      if (known->second == own) continue;
      throw InputError(
          {fmt::format("a night of two imported settings at {}", point),
           fmt::format("'{}' and '{}', whose names depend on what was imported together",
                       known->second, own),
           "import each with its own --setting and --out, or all with --pool"});
    }
  }
}

void require_one_library(const SettingLaunches& setting) {
  const std::string& first = setting.launches.front().provenance.mpi.library;
  for (const Record& record : setting.launches) {
    const std::string& other = record.provenance.mpi.library;
    if (other == first) continue;
    throw InputError({"a night of two MPI libraries", fmt::format("'{}' and '{}'", first, other),
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

/// The figures of each host.
void add_hosts(Night& night, HostNight hosts) {
  for (const Environment& environment : hosts.environments) add_environment(night, environment);
  for (NightFigure& figure : hosts.figures) {
    figure.value.day = night.day;
    night.figures.push_back(std::move(figure));
  }
  std::ranges::move(hosts.absences, std::back_inserter(night.absences));
}

/// The hosts of a setting, whose launches include those of nodes.
HostNight hosts_of(const SettingLaunches& setting, NodeNights& nodes) {
  const auto found = nodes.find(setting.setting);
  if (found == nodes.end()) return host_night(setting.launches, setting.name);
  return found->second.hosts();
}

/// Adds the launches of nodes to the others, whose hosts are added to those of the nodes.
void add_nodes(Night& night, std::vector<Record>& records, NodeNights& nodes) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto found = nodes.find(setting_of(records[i]));
    if (found != nodes.end()) found->second.add_other(std::to_string(i), records[i]);
  }
  for (const auto& [setting, of_nodes] : nodes) {
    std::ranges::move(of_nodes.launches(), std::back_inserter(records));
    add_faults(night.faults, of_nodes.faults());
  }
}

}  // namespace

std::string setting_of(const Record& record) {
  const std::string setting = record.campaign ? record.campaign->setting : "";
  const std::string& base = record.procedure;
  const bool has_base = is_imported(record) && !base.empty() && setting.starts_with(base);
  return has_base ? base : setting;
}

std::string series_setting(const Record& record) {
  if (!record.campaign) return "";
  const std::string& campaign = record.campaign->name;
  const std::string setting = setting_of(record);
  return setting == "default" ? campaign : fmt::format("{}:{}", campaign, setting);
}

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
    const std::string name = setting_of(record);
    auto known = std::ranges::find(settings, name, &SettingLaunches::setting);
    if (known == settings.end()) {
      settings.push_back({.setting = name,
                          .name = series_setting(record),
                          .loaded = is_loaded(record),
                          .launches = {}});
      known = std::prev(settings.end());
    }
    forget_algorithms(record);
    known->launches.push_back(std::move(record));
  }
  for (SettingLaunches& setting : settings) {
    require_one_library(setting);
    require_one_import(setting);
    // Curves are of one setting.
    for (Record& record : setting.launches) {
      if (record.campaign) record.campaign->setting = setting.setting;
    }
  }
  return settings;
}

Night make_night(std::int64_t day, const std::string& campaign, std::vector<Record> records,
                 NodeNights nodes) {
  Night night{.day = day,
              .campaign = campaign,
              .records = {},
              .environments = {},
              .figures = {},
              .pairs = {},
              .faults = find_faults(records)};
  add_nodes(night, records, nodes);
  const auto settings = launches_by_setting(std::move(records));
  std::vector<models::Curves> curves;  // by setting
  curves.reserve(settings.size());
  for (const SettingLaunches& setting : settings) {
    curves.push_back(
        models::collect_curves(setting.launches, models::GroupBy::hop, models::Windows::apart));
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
    std::ranges::move(absences(setting.launches, setting.name, night.figures),
                      std::back_inserter(night.absences));
    const std::vector<fleet::NightPair> pairs = fleet::host_pairs(setting.launches, setting.name);
    add_figures(night, node_figures(pairs), environment.digest);
    night.pairs.insert(night.pairs.end(), pairs.begin(), pairs.end());
    add_hosts(night, hosts_of(setting, nodes));
  }
  return night;
}

}  // namespace hockney::health
