#include "health/nights/ingest.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"
#include "health/history/reading.hpp"
#include "health/nights/figures.hpp"
#include "health/nights/host_figures.hpp"
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

/// "default" is the setting of campaigns without settings.
std::string name_of(const CampaignPlace& place) {
  return place.setting == "default" ? place.name : fmt::format("{}:{}", place.name, place.setting);
}

bool is_loaded(const Record& record) {
  return std::ranges::find(record.provenance.command_line, "--concurrent") !=
         record.provenance.command_line.end();
}

/// The algorithm is a result and no part of a series' name (core/point.hpp).
void forget_algorithms(Record& record) {
  for (Series& series : record.series) series.point.algorithm.reset();
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
void add_hosts(Night& night, const SettingLaunches& setting) {
  HostNight hosts = host_night(setting.launches, setting.name);
  for (const Environment& environment : hosts.environments) add_environment(night, environment);
  for (NightFigure& figure : hosts.figures) {
    figure.value.day = night.day;
    night.figures.push_back(std::move(figure));
  }
  std::ranges::move(hosts.absences, std::back_inserter(night.absences));
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
    add_hosts(night, setting);
  }
  return night;
}

namespace {

namespace fs = std::filesystem;

bool is_document(const fs::path& file) {
  return file.extension() == ".json" || file.extension() == ".cbor";
}

/// Folders of a campaign without complete launches (campaign/manifest.hpp).
bool holds_remains(const fs::path& folder) {
  const fs::path name = folder.filename();
  return name == "interrupted" || name == "verification" || name == "witness";
}

using Folders = std::map<std::string, RecordFolder>;

void add_file(Folders& folders, const fs::path& file, bool named) {
  RecordFolder& folder = folders[file.parent_path().string()];
  folder.folder = file.parent_path().string();
  folder.files.push_back(file.string());
  folder.named = folder.named || named;
}

void add_below(Folders& folders, const fs::path& root) {
  for (auto entry = fs::recursive_directory_iterator(root);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->is_directory() && holds_remains(entry->path())) entry.disable_recursion_pending();
    if (entry->is_regular_file() && is_document(entry->path())) {
      add_file(folders, entry->path(), false);
    }
  }
}

/// Records collected for one night.
struct Gathered {
  std::vector<Record> records;              ///< complete
  std::vector<std::vector<Record>> others;  ///< of each: further nodes in the same file
  std::vector<NightRecord> sources;         ///< of each
  std::size_t left_out = 0;
  std::vector<std::string> refused;  ///< as in Ingested
};

/// A file, read once for both digest and record.
struct ReadFile {
  std::string name;
  std::string content;
  std::string digest;

  explicit ReadFile(const std::string& file)
      : name(file),
        content(read_file(file, DocumentLimits().bytes)),
        digest(content_digest(content)) {}
};

/// None of another document.
std::vector<Record> records_of(const ReadFile& file, bool named) {
  const JsonNode document = named ? parse_record_document(file.content, file.name)
                                  : parse_document(file.content, file.name);
  if (is_nodes(document)) return read_nodes(document);
  if (named) return {read_record(document)};
  auto record = read_if_record(document);
  return record ? std::vector{std::move(*record)} : std::vector<Record>();
}

/// The records of all files.
std::vector<Record> all_records(Gathered gathered) {
  for (std::vector<Record>& more : gathered.others) {
    std::ranges::move(more, std::back_inserter(gathered.records));
  }
  return std::move(gathered.records);
}

void add(Gathered& gathered, const ReadFile& file, bool named) {
  std::vector<Record> records = records_of(file, named);
  if (records.empty()) return;
  if (records.front().status != LaunchStatus::complete) {
    ++gathered.left_out;
    return;
  }
  // Figures use launch medians only, and launches of a night plan the same points.
  for (Record& record : records) {
    for (Series& series : record.series) drop_samples(series);
  }
  if (!gathered.records.empty()) records.front().points.share(gathered.records.back().points);
  gathered.sources.push_back({.digest = file.digest, .file = file.name});
  gathered.records.push_back(std::move(records.front()));
  records.erase(records.begin());
  gathered.others.push_back(std::move(records));
}

Gathered gather(const RecordFolder& folder) {
  Gathered gathered;
  for (const std::string& file : folder.files) {
    try {
      add(gathered, ReadFile(file), folder.named);
    } catch (const Error& error) {
      gathered.refused.emplace_back(error.what());
    }
  }
  return gathered;
}

std::string campaign_of(const Record& record) {
  return record.campaign ? record.campaign->name : "";
}

void require_one_campaign(const Gathered& gathered, const std::string& folder) {
  const std::string first = campaign_of(gathered.records.front());
  for (const Record& record : gathered.records) {
    if (campaign_of(record) == first) continue;
    throw InputError({fmt::format("'{}' holds records of two campaigns", folder),
                      fmt::format("'{}' and '{}'", first, campaign_of(record)),
                      "give each a folder of its own"});
  }
}

std::int64_t first_day(const Gathered& gathered) {
  std::int64_t day = day_of_utc(gathered.records.front().started_utc);
  for (const Record& record : gathered.records) {
    day = std::min(day, day_of_utc(record.started_utc));
  }
  return day;
}

bool has(const std::vector<NightRecord>& records, const std::string& digest) {
  return std::ranges::find(records, digest, &NightRecord::digest) != records.end();
}

bool all_in(const std::vector<NightRecord>& records, const Gathered& gathered) {
  return std::ranges::all_of(
      gathered.sources, [&](const NightRecord& source) { return has(records, source.digest); });
}

/// Keeps the records for which `keep` returns true; its arguments are the index and what is kept so
/// far.
template <class Keep>
void keep_only(Gathered& gathered, Keep keep) {
  Gathered kept{.records = {},
                .others = {},
                .sources = {},
                .left_out = gathered.left_out,
                .refused = std::move(gathered.refused)};
  for (std::size_t i = 0; i < gathered.records.size(); ++i) {
    if (!keep(i, kept)) continue;
    kept.records.push_back(std::move(gathered.records[i]));
    kept.others.push_back(std::move(gathered.others[i]));
    kept.sources.push_back(std::move(gathered.sources[i]));
  }
  gathered = std::move(kept);
}

/// Keeps one copy of a launch that is in two files.
void drop_copies(Gathered& gathered) {
  keep_only(gathered, [&](std::size_t i, const Gathered& kept) {
    return !has(kept.sources, gathered.sources[i].digest);
  });
}

/// Reads earlier records of the night again, because its figures cover all launches.
void add_earlier(Gathered& gathered, const std::vector<NightRecord>& there, std::int64_t day) {
  for (const NightRecord& record : there) {
    if (has(gathered.sources, record.digest)) continue;
    std::error_code unreachable;
    std::optional<ReadFile> file;
    if (fs::is_regular_file(record.file, unreachable)) file.emplace(record.file);
    if (!file || file->digest != record.digest) {
      throw InputError({fmt::format("the night {} cannot be made anew", day_text(day)),
                        fmt::format("its record '{}' is gone or changed", record.file),
                        "keep the records of a night until all of them are ingested, or give the "
                        "new ones another --day"});
    }
    add(gathered, *file, true);
  }
}

/// A wrong clock must not create a night in the future, which later checks would take for the
/// newest.
void refuse_future(const HistoryDatabase& database, Gathered& gathered) {
  std::vector<std::size_t> ahead;
  for (std::size_t i = 0; i < gathered.records.size(); ++i) {
    const bool has_begun = parse_utc(gathered.records[i].started_utc) <= latest_moment();
    if (!has_begun && !night_of_record(database, gathered.sources[i].digest)) ahead.push_back(i);
  }
  if (ahead.empty()) return;
  const std::size_t first = ahead.front();
  gathered.refused.push_back(to_line(
      {fmt::format("'{}' begins in the future{}", gathered.sources[first].file,
                   ahead.size() > 1 ? fmt::format(", and so do {} more", ahead.size() - 1) : ""),
       fmt::format("it started at {}, and it is {}", gathered.records[first].started_utc,
                   utc_now()),
       "fix the clock and give the night with --day"}));
  keep_only(gathered, [&](std::size_t i, const Gathered& /*kept*/) {
    return !std::ranges::binary_search(ahead, i);
  });
}

/// The day of the night that has some of the records; else that of the folder's path, or of the
/// first start.
std::int64_t usual_day(const HistoryDatabase& database, const Gathered& gathered,
                       std::optional<std::int64_t> of_path) {
  for (const NightRecord& source : gathered.sources) {
    if (const auto known = night_of_record(database, source.digest)) return known->day;
  }
  return of_path ? *of_path : first_day(gathered);
}

/// The innermost date in a path, "2026-06-01" or "20260601"; nullopt without one.
std::optional<std::int64_t> day_in_path(const std::string& path) {
  static const std::regex date("(?:^|[^0-9])((?:19|20)[0-9]{2})-?([0-9]{2})-?([0-9]{2})(?![0-9])");
  std::optional<std::int64_t> day;
  for (std::sregex_iterator found(path.begin(), path.end(), date); found != std::sregex_iterator();
       ++found) {
    try {
      day = parse_day(fmt::format("{}-{}-{}", found->str(1), found->str(2), found->str(3)));
    } catch (const InputError&) {
      continue;  // a number, no date
    }
  }
  return day;
}

/// The day of an imported record, which is that of its text file; nullopt for other documents.
std::optional<std::int64_t> imported_day(const std::string& file) {
  try {
    const ReadFile read(file);
    if (read.content.find(imported_reason) == std::string::npos) return std::nullopt;
    const auto record = read_if_record(parse_document(read.content, read.name));
    if (!record || !is_imported(*record)) return std::nullopt;
    return day_of_utc(record->started_utc);
  } catch (const InputError&) {
    return std::nullopt;  // said where the file is ingested
  }
}

/// Sets the days of dated folders whose imported records have one date.
void take_days_of_paths(std::vector<RecordFolder>& folders) {
  struct Dated {
    RecordFolder* folder;
    std::int64_t day;  ///< in the path
  };
  std::map<std::int64_t, std::vector<Dated>> by_date;  // of the files
  for (RecordFolder& folder : folders) {
    const auto day = day_in_path(folder.folder);
    if (!day) continue;
    if (const auto imported = imported_day(folder.files.front())) {
      by_date[*imported].push_back({&folder, *day});
    }
  }
  for (const auto& [date, dated] : by_date) {
    const bool differ =
        std::ranges::any_of(dated, [&](const Dated& one) { return one.day != dated.front().day; });
    if (!differ) continue;
    for (const Dated& one : dated) one.folder->day = one.day;
  }
}

/// The date in the folder's path, if the night has imported records of folders with other dates.
std::optional<std::int64_t> joined_from(const RecordFolder& folder, const Gathered& gathered,
                                        const std::vector<NightRecord>& there) {
  const auto day = day_in_path(folder.folder);
  if (!day || !is_imported(gathered.records.front())) return std::nullopt;
  const bool joins = std::ranges::any_of(there, [&](const NightRecord& record) {
    const auto other = day_in_path(fs::path(record.file).parent_path().string());
    return other && *other != *day;
  });
  return joins ? day : std::nullopt;
}

void require_elsewhere_unknown(const HistoryDatabase& database, const Gathered& gathered,
                               const std::vector<NightRecord>& there, std::int64_t day) {
  for (const NightRecord& source : gathered.sources) {
    const auto known = night_of_record(database, source.digest);
    if (!known || has(there, source.digest)) continue;
    throw InputError({fmt::format("'{}' is in the history already", source.file),
                      fmt::format("in the night {}, not {}", day_text(known->day), day_text(day)),
                      "leave out --day, or use a history of its own"});
  }
}

/// A campaign that ended without a complete launch, from its manifest (campaign/manifest.hpp).
struct FailedCampaign {
  std::string name;
  std::string started_utc;
  std::string reason;  ///< of the last attempt
};

std::optional<FailedCampaign> failed_campaign(const RecordFolder& folder) {
  const std::string file = folder.folder + "/manifest.json";
  if (std::ranges::find(folder.files, file) == folder.files.end()) return std::nullopt;
  const JsonNode manifest = parse_document(ReadFile(file).content, file);
  const auto schema = manifest.find("schema");
  if (!schema || schema->text() != "hockney.manifest/1") return std::nullopt;
  const auto status = manifest.find("status");
  if (!status || status->text() == "running") return std::nullopt;
  FailedCampaign failed{.name = manifest.at("config").at("name").text(),
                        .started_utc = manifest.at("started_utc").text(),
                        .reason = {}};
  for (const JsonNode& attempt : manifest.at("attempts").elements()) {
    if (attempt.at("status").text() == "complete") return std::nullopt;
    failed.reason = attempt.at("reason").text();
  }
  return failed.reason.empty() ? std::nullopt : std::optional(failed);
}

/// The night of a campaign without a complete launch.
Ingested ingest_failed(const HistoryDatabase& database, NightWriter& writer,
                       const FailedCampaign& failed, std::optional<std::int64_t> day) {
  Ingested outcome;
  outcome.day = day ? *day : day_of_utc(failed.started_utc);
  outcome.campaign = failed.name;
  outcome.failure = failed.reason;
  outcome.stored = writer.store([&]() -> std::optional<Night> {
    for (const NightContent& night : nights_of_day(database, outcome.day)) {
      if (night.campaign == failed.name) return std::nullopt;
    }
    Night night;
    night.day = outcome.day;
    night.campaign = failed.name;
    night.absences = {{every_series, "no launch completed: " + failed.reason}};
    return night;
  });
  return outcome;
}

}  // namespace

std::vector<RecordFolder> record_folders(const std::vector<std::string>& paths) {
  Folders folders;
  for (const std::string& path : paths) {
    std::error_code unreachable;
    if (!fs::exists(path, unreachable)) {
      throw InputError({fmt::format("'{}' does not exist", path),
                        "nights are read from folders of campaigns", "check the name"});
    }
    const fs::path absolute = fs::canonical(path);
    fs::is_directory(absolute) ? add_below(folders, absolute) : add_file(folders, absolute, true);
  }
  std::vector<RecordFolder> found;
  for (auto& [name, folder] : folders) {
    std::ranges::sort(folder.files);
    const auto repeated = std::ranges::unique(folder.files);
    folder.files.erase(repeated.begin(), repeated.end());
    found.push_back(std::move(folder));
  }
  take_days_of_paths(found);
  if (!found.empty()) return found;
  throw InputError({"no records", "none of the paths holds a *.json or *.cbor file",
                    "name the folder of a campaign"});
}

Ingested ingest_folder(const HistoryDatabase& database, NightWriter& writer,
                       const RecordFolder& folder, std::optional<std::int64_t> day) {
  Gathered gathered = gather(folder);
  if (!day) refuse_future(database, gathered);
  Ingested outcome{.left_out = gathered.left_out, .refused = gathered.refused};
  if (gathered.records.empty()) {
    const auto failed = gathered.refused.empty() ? failed_campaign(folder) : std::nullopt;
    return failed ? ingest_failed(database, writer, *failed, day) : outcome;
  }
  require_one_campaign(gathered, folder.folder);
  drop_copies(gathered);
  outcome.campaign = campaign_of(gathered.records.front());
  outcome.stored = writer.store([&]() -> std::optional<Night> {
    outcome.day = day ? *day : usual_day(database, gathered, folder.day);
    const auto there = stored_records(database, outcome.day, outcome.campaign);
    require_elsewhere_unknown(database, gathered, there, outcome.day);
    outcome.records = gathered.sources.size();
    if (all_in(there, gathered)) {
      outcome.faults = find_faults(all_records(std::move(gathered)));
      return std::nullopt;
    }
    if (!day) outcome.joined_from = joined_from(folder, gathered, there);
    add_earlier(gathered, there, outcome.day);
    outcome.records = gathered.sources.size();
    std::vector<NightRecord> sources = std::move(gathered.sources);
    Night night = make_night(outcome.day, outcome.campaign, all_records(std::move(gathered)));
    night.records = std::move(sources);
    outcome.series = night.figures.size();
    outcome.pairs = night.pairs.size();
    outcome.faults = night.faults;
    return night;
  });
  return outcome;
}

}  // namespace hockney::health
