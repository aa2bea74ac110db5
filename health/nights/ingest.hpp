#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "health/history/database.hpp"
#include "health/history/night_writer.hpp"

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

/// Documents that may be records of one campaign.
struct RecordFolder {
  std::string folder;              ///< absolute
  std::vector<std::string> files;  ///< *.json and *.cbor in it, absolute, sorted
  bool named = false;              ///< the user named the file, so it must be a record
};

/// The folders with documents in and below the paths, in order of their names; what campaigns keep
/// of launches that did not complete, and of their verification runs, is left out. InputError for a
/// path that does not exist, or when there is no document at all.
std::vector<RecordFolder> record_folders(const std::vector<std::string>& paths);

/// What became of the records of one folder.
struct Ingested {
  std::optional<Stored> stored;  ///< nullopt: the folder holds no complete record
  std::int64_t day = 0;          ///< of the night
  std::string campaign;
  std::size_t records = 0;   ///< complete ones of the night
  std::size_t left_out = 0;  ///< interrupted or failed
  std::size_t series = 0;
  std::size_t pairs = 0;
  std::vector<FaultFinding> faults;  ///< of the night, whose figures are left out
};

/// Takes the complete records of a folder into the night they belong to: that of the day on which
/// the first of them began, or of `day`. What is in the history already is not taken again. A night
/// whose records lie in several folders is made anew of all of them. InputError when the records
/// are of two campaigns, when some are in another night already, when earlier records of the
/// night are gone, so that it cannot be made anew, or, without `day`, when one that is new begins
/// more than a day after now.
Ingested ingest_folder(const HistoryDatabase& database, NightWriter& writer,
                       const RecordFolder& folder, std::optional<std::int64_t> day = {});

}  // namespace hockney::health
