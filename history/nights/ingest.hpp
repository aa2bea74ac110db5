#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "history/database.hpp"
#include "history/night_writer.hpp"
#include "history/nights/record_folders.hpp"

namespace hockney {

/// What became of the records of one folder.
struct Ingested {
  std::optional<Stored> stored;  ///< nullopt: the folder holds no complete record
  std::int64_t day = 0;          ///< of the night
  std::string campaign;
  std::size_t records = 0;   ///< complete ones of the night
  std::size_t left_out = 0;  ///< interrupted or failed
  std::size_t series = 0;
  std::size_t pairs = 0;
};

/// Takes the complete records of a folder into the night they belong to: that of the day on which
/// the first of them began, or of `day`. What is in the history already is not taken again. A night
/// whose records lie in several folders is made anew of all of them. InputError when the records
/// are of two campaigns, when some are in another night already, or when earlier records of the
/// night are gone, so that it cannot be made anew.
Ingested ingest_folder(const HistoryDatabase& database, NightWriter& writer,
                       const RecordFolder& folder, std::optional<std::int64_t> day = {});

}  // namespace hockney
