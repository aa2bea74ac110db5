#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "components/health/history/database.hpp"
#include "components/health/history/night_writer.hpp"
#include "components/health/nights/night.hpp"
#include "core/record.hpp"

namespace hockney::health {

/// Documents that may be records of one campaign.
struct RecordFolder {
  std::string folder;              ///< absolute
  std::vector<std::string> files;  ///< *.json and *.cbor in it, absolute, sorted
  bool named = false;              ///< the user named the file, so it must be a record
  /// The date in the folder's path, if imported records of several dated folders have one date: a
  /// clone or a plain copy gives all files the date of today.
  std::optional<std::int64_t> day{};
  std::vector<RecordFolder> parts{};  ///< the folders that join_nights() made it of
};

/// The folders with documents in and below the paths, sorted by name. Incomplete launches and
/// verification launches of campaigns are left out. InputError for a path that does not exist, or
/// without any document.
std::vector<RecordFolder> record_folders(const std::vector<std::string>& paths);

/// Joins folders of one campaign and day, such as those of nodes that each measured themselves.
/// Each would rebuild the night from the records of those before. The first record of a folder
/// gives its campaign and day. Imported records are not joined.
std::vector<RecordFolder> join_nights(std::vector<RecordFolder> folders);

/// Result of ingesting one folder.
struct Ingested {
  std::optional<Stored> stored;  ///< nullopt: the folder has no complete record
  std::int64_t day = 0;          ///< of the night
  std::string campaign;
  std::size_t records = 0;           ///< complete ones of the night
  std::size_t left_out = 0;          ///< interrupted or failed
  std::vector<std::string> refused;  ///< why, a line for each file that is left out
  std::size_t series = 0;
  std::size_t pairs = 0;
  std::vector<FaultFinding> faults;  ///< of the night; their figures are left out
  /// The date in the folder's path, if its imported records joined a night with records of another
  /// dated folder.
  std::optional<std::int64_t> joined_from{};
  /// Why the campaign has no complete launch; then its night has no figures. Else empty.
  std::string failure{};
};

/// Ingests the complete records of a folder into their night: that of `day`, else of
/// `folder.day`, else of the day on which the first of them began. Records in the history are
/// skipped. A night with records in several folders is rebuilt from all of them. A file that cannot
/// be read costs only itself, and so does, without `day`, a new record that begins more than a day
/// after now. InputError if the records are of two campaigns, or if some are in another night.
/// InputError if earlier records of the night are missing for the rebuild. The folder of a campaign
/// that ended without a complete launch becomes a night without figures, unless the history has
/// that night.
Ingested ingest_folder(const HistoryDatabase& database, NightWriter& writer,
                       const RecordFolder& folder, std::optional<std::int64_t> day = {});

}  // namespace hockney::health
