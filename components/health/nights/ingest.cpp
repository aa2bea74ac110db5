#include "components/health/nights/ingest.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "components/health/history/reading.hpp"
#include "components/health/nights/node_launches.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/node_records.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/samples.hpp"
#include "core/suite_names.hpp"
#include "core/text.hpp"

namespace hockney::health {
namespace {

namespace fs = std::filesystem;

bool is_document(const fs::path& file) {
  return file.extension() == ".json" || file.extension() == ".cbor";
}

/// Folders of a campaign without complete launches (driver/campaign/manifest.hpp).
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

std::string campaign_of(const Record& record) {
  return record.campaign ? record.campaign->name : "";
}

/// The records of one night, while their files are read.
class NightRecords {
 public:
  /// Reads all files; those that cannot be read are refused. Without `day`, so are new records that
  /// begin in the future: a wrong clock must not create a night that later checks would take for
  /// the newest.
  NightRecords(const HistoryDatabase& database, const RecordFolder& folder,
               std::optional<std::int64_t> day)
      : database_(&database), may_be_ahead_(day.has_value()) {
    for (const std::string& file : folder.files) {
      try {
        add(ReadFile(file), folder.named);
      } catch (const Error& error) {
        refused_.emplace_back(error.what());
      }
    }
    if (!ahead_.empty()) refused_.push_back(ahead_text());
  }

  /// Reads earlier records of the night again, because its figures cover all launches.
  void add_earlier(const std::vector<NightRecord>& there, std::int64_t day) {
    may_be_ahead_ = true;
    for (const NightRecord& record : there) {
      if (has(record.digest)) continue;
      std::error_code unreachable;
      std::optional<ReadFile> file;
      if (fs::is_regular_file(record.file, unreachable)) file.emplace(record.file);
      if (!file || file->digest != record.digest) {
        throw InputError({fmt::format("the night {} cannot be made anew", day_text(day)),
                          fmt::format("its record '{}' is gone or changed", record.file),
                          "keep the records of a night until all of them are ingested, or give the "
                          "new ones another --day"});
      }
      add(*file, true);
    }
  }

  [[nodiscard]] bool has(const std::string& digest) const { return digests_.contains(digest); }
  [[nodiscard]] bool empty() const { return sources_.empty(); }
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  [[nodiscard]] const std::vector<std::string>& refused() const { return refused_; }
  [[nodiscard]] const std::vector<NightRecord>& sources() const { return sources_; }
  /// Of the records, each once, in their order.
  [[nodiscard]] const std::vector<std::string>& campaigns() const { return campaigns_; }
  [[nodiscard]] std::int64_t first_day() const { return first_day_; }
  [[nodiscard]] bool is_imported() const { return is_imported_; }

  [[nodiscard]] std::vector<FaultFinding> faults() const {
    std::vector<FaultFinding> faults = find_faults(records_);
    for (const auto& [setting, nodes] : nodes_) add_faults(faults, nodes.faults());
    return faults;
  }

  /// The night of all records, once.
  Night night(std::int64_t day) && {
    for (const auto& [launch, nodes] : missing_) {
      const auto setting = settings_.find(launch);
      if (setting == settings_.end()) continue;
      for (const MissingNode& node : nodes) {
        nodes_.at(setting->second).add_missing(launch, node);
      }
    }
    Night night = make_night(day, campaigns_.front(), std::move(records_), std::move(nodes_));
    night.records = std::move(sources_);
    return night;
  }

 private:
  void add(const ReadFile& file, bool named) {
    if (has(file.digest)) return;  // a copy
    const JsonNode document = named ? parse_record_document(file.content, file.name)
                                    : parse_document(file.content, file.name);
    if (is_nodes(document)) return add_nodes(file, document);
    auto record = named ? std::optional(read_record(document)) : read_if_record(document);
    if (!record) return;
    if (record->status != LaunchStatus::complete) {
      ++left_out_;
      return;
    }
    if (!is_taken(file, *record)) return;
    std::error_code unreachable;
    if (is_of_each_node(*record) || fs::exists(nodes_file(file.name), unreachable)) {
      return add_node(launch_of(file.name), *record);
    }
    // Figures use launch medians only, and launches of a night plan the same points.
    for (Series& series : record->series) drop_samples(series);
    if (!records_.empty()) record->points.share(records_.back().points);
    records_.push_back(std::move(*record));
  }

  void add_nodes(const ReadFile& file, const JsonNode& document) {
    const std::string launch = launch_of(file.name);
    bool is_first = true;
    bool is_refused = false;
    for_each_node(document, [&](const Record& node) {
      if (is_first) is_refused = !is_taken(file, node);
      is_first = false;
      if (!is_refused) add_node(launch, node);
    });
    if (is_refused) return;
    if (is_first) add_source(file);
    std::vector<MissingNode> missing = missing_nodes(document);
    if (!missing.empty()) missing_[launch] = std::move(missing);
  }

  void add_node(const std::string& launch, const Record& node) {
    const std::string setting = setting_of(node);
    nodes_.try_emplace(setting, series_setting(node)).first->second.add(launch, node);
    settings_.try_emplace(launch, setting);
  }

  /// A record and the nodes beside it have one name: "default-001", ".json" and ".nodes.json".
  static std::string launch_of(const std::string& file) {
    fs::path name = fs::path(file).replace_extension();
    if (name.extension() == ".nodes") name.replace_extension();
    return name.string();
  }

  void add_source(const ReadFile& file) {
    digests_.insert(file.digest);
    sources_.push_back({.digest = file.digest, .file = file.name});
  }

  /// Notes file and record, unless it begins in the future.
  bool is_taken(const ReadFile& file, const Record& record) {
    const bool has_begun = may_be_ahead_ || parse_utc(record.started_utc) <= latest_moment();
    if (!has_begun && !night_of_record(*database_, file.digest)) {
      ahead_.push_back({.file = file.name, .started_utc = record.started_utc});
      return false;
    }
    const std::int64_t day = day_of_utc(record.started_utc);
    const bool is_first = campaigns_.empty();
    first_day_ = is_first ? day : std::min(first_day_, day);
    is_imported_ = is_first ? hockney::is_imported(record) : is_imported_;
    const std::string campaign = campaign_of(record);
    if (std::ranges::find(campaigns_, campaign) == campaigns_.end()) campaigns_.push_back(campaign);
    add_source(file);
    return true;
  }

  /// A record that begins in the future.
  struct Ahead {
    std::string file;
    std::string started_utc;
  };

  [[nodiscard]] std::string ahead_text() const {
    const std::size_t more = ahead_.size() - 1;
    return to_line(
        {fmt::format("'{}' begins in the future{}", ahead_.front().file,
                     more > 0 ? fmt::format(", and so do {} more", more) : ""),
         fmt::format("it started at {}, and it is {}", ahead_.front().started_utc, utc_now()),
         "fix the clock and give the night with --day"});
  }

  const HistoryDatabase* database_;
  bool may_be_ahead_;
  std::vector<Record> records_;                              ///< of launches without --each-node
  NodeNights nodes_;                                         ///< of the others
  std::map<std::string, std::vector<MissingNode>> missing_;  ///< by launch
  std::map<std::string, std::string> settings_;              ///< of launches with nodes
  std::set<std::string> digests_;
  std::vector<NightRecord> sources_;
  std::vector<std::string> campaigns_;
  std::int64_t first_day_ = 0;
  bool is_imported_ = false;  ///< the first record
  std::size_t left_out_ = 0;
  std::vector<std::string> refused_;  ///< as in Ingested
  std::vector<Ahead> ahead_;
};

void require_one_campaign(const NightRecords& gathered, const std::string& folder) {
  const std::vector<std::string>& campaigns = gathered.campaigns();
  if (campaigns.size() < 2) return;
  throw InputError({fmt::format("'{}' holds records of two campaigns", folder),
                    fmt::format("'{}' and '{}'", campaigns[0], campaigns[1]),
                    "give each a folder of its own"});
}

bool has(const std::vector<NightRecord>& records, const std::string& digest) {
  return std::ranges::find(records, digest, &NightRecord::digest) != records.end();
}

bool all_in(const std::vector<NightRecord>& records, const NightRecords& gathered) {
  return std::ranges::all_of(
      gathered.sources(), [&](const NightRecord& source) { return has(records, source.digest); });
}

/// The day of the night that has some of the records; else that of the folder's path, or of the
/// first start.
std::int64_t usual_day(const HistoryDatabase& database, const NightRecords& gathered,
                       std::optional<std::int64_t> of_path) {
  for (const NightRecord& source : gathered.sources()) {
    if (const auto known = night_of_record(database, source.digest)) return known->day;
  }
  return of_path ? *of_path : gathered.first_day();
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
std::optional<std::int64_t> joined_from(const RecordFolder& folder, const NightRecords& gathered,
                                        const std::vector<NightRecord>& there) {
  const auto day = day_in_path(folder.folder);
  if (!day || !gathered.is_imported()) return std::nullopt;
  const bool joins = std::ranges::any_of(there, [&](const NightRecord& record) {
    const auto other = day_in_path(fs::path(record.file).parent_path().string());
    return other && *other != *day;
  });
  return joins ? day : std::nullopt;
}

void require_elsewhere_unknown(const HistoryDatabase& database, const NightRecords& gathered,
                               const std::vector<NightRecord>& there, std::int64_t day) {
  for (const NightRecord& source : gathered.sources()) {
    const auto known = night_of_record(database, source.digest);
    if (!known || has(there, source.digest)) continue;
    throw InputError({fmt::format("'{}' is in the history already", source.file),
                      fmt::format("in the night {}, not {}", day_text(known->day), day_text(day)),
                      "leave out --day, or use a history of its own"});
  }
}

/// A campaign that ended without a complete launch, from its manifest
/// (driver/campaign/manifest.hpp).
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
  NightRecords gathered(database, folder, day);
  Ingested outcome{.left_out = gathered.left_out(), .refused = gathered.refused()};
  if (gathered.campaigns().empty()) {
    const auto failed = gathered.refused().empty() ? failed_campaign(folder) : std::nullopt;
    return failed ? ingest_failed(database, writer, *failed, day) : outcome;
  }
  require_one_campaign(gathered, folder.folder);
  outcome.campaign = gathered.campaigns().front();
  outcome.stored = writer.store([&]() -> std::optional<Night> {
    outcome.day = day ? *day : usual_day(database, gathered, folder.day);
    const auto there = stored_records(database, outcome.day, outcome.campaign);
    require_elsewhere_unknown(database, gathered, there, outcome.day);
    outcome.records = gathered.sources().size();
    if (all_in(there, gathered)) {
      outcome.faults = gathered.faults();
      return std::nullopt;
    }
    if (!day) outcome.joined_from = joined_from(folder, gathered, there);
    gathered.add_earlier(there, outcome.day);
    outcome.records = gathered.sources().size();
    Night night = std::move(gathered).night(outcome.day);
    outcome.series = night.figures.size();
    outcome.pairs = night.pairs.size();
    outcome.faults = night.faults;
    return night;
  });
  return outcome;
}

}  // namespace hockney::health
