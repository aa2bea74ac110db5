#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "components/health/nights/ingest.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/suite_names.hpp"

namespace hockney::health {
namespace {

/// What folders of one night have in common: named by the user or not, campaign, day.
using NightKey = std::tuple<bool, std::string, std::int64_t>;

/// The key by the first record; nullopt without one among the first files.
std::optional<NightKey> key_of(const RecordFolder& folder) {
  constexpr std::size_t most_files = 3;
  for (std::size_t i = 0; i < std::min(most_files, folder.files.size()); ++i) {
    try {
      const std::string& file = folder.files[i];
      const auto record =
          read_if_record(parse_document(read_file(file, DocumentLimits().bytes), file));
      if (!record) continue;
      if (is_imported(*record)) return std::nullopt;
      return NightKey{folder.named, record->campaign ? record->campaign->name : "",
                      folder.day.value_or(day_of_utc(record->started_utc))};
    } catch (const Error&) {
      continue;  // reported where the file is ingested
    }
  }
  return std::nullopt;
}

RecordFolder joined(std::vector<RecordFolder> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  RecordFolder all;
  all.folder = parts.front().folder + " and others";
  all.named = parts.front().named;
  all.day = parts.front().day;
  for (const RecordFolder& part : parts) {
    all.files.insert(all.files.end(), part.files.begin(), part.files.end());
  }
  all.parts = std::move(parts);
  return all;
}

}  // namespace

std::vector<RecordFolder> join_nights(std::vector<RecordFolder> folders) {
  if (folders.size() < 2) return folders;
  std::vector<std::vector<RecordFolder>> nights;
  std::map<NightKey, std::size_t> places;
  for (RecordFolder& folder : folders) {
    const auto key = key_of(folder);
    const std::size_t next = nights.size();
    const std::size_t place = key ? places.try_emplace(*key, next).first->second : next;
    if (place == next) nights.emplace_back();
    nights[place].push_back(std::move(folder));
  }
  std::vector<RecordFolder> all;
  all.reserve(nights.size());
  for (std::vector<RecordFolder>& parts : nights) all.push_back(joined(std::move(parts)));
  return all;
}

}  // namespace hockney::health
