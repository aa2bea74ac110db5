#include "campaign/remains.hpp"

#include "core/error.hpp"
#include "core/journal.hpp"
#include "core/record_file.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

/// The record, when the file holds one that loads, whatever its status.
std::optional<Record> readable_record(const std::string& file) {
  try {
    return load_record(file);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The journal as a record at `target`; false when it holds none.
bool keep_journal(const std::string& record_file, const std::string& target) {
  try {
    const auto record = recover_journal(record_file);
    if (record) save_record(*record, target);
    return record.has_value();
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

RecordCheck check_record(const std::string& record_file) {
  if (!fs::exists(record_file)) return {.why_not = "no record was written"};
  try {
    const Record record = load_record(record_file);
    if (record.status == LaunchStatus::complete) {
      return {.complete = true, .why_not = "", .findings = findings_of(record)};
    }
    return {.why_not = "the record is of a launch that ended early"};
  } catch (const InputError& error) {
    return {.why_not = error.what()};
  }
}

void remove_temporaries(const std::string& file) {
  const fs::path path(file);
  const std::string stem = path.filename().string() + ".tmp.";
  for (const auto& entry : fs::directory_iterator(path.parent_path())) {
    if (entry.path().filename().string().starts_with(stem)) fs::remove(entry.path());
  }
}

std::optional<std::string> salvage(const CampaignFolder& folder, const std::string& name,
                                   int attempt) {
  const std::string file = folder.record(name);
  const std::string journal = journal_name(file);
  const std::string kept = folder.remains(name, attempt) + ".json";
  const auto record = readable_record(file);
  const bool complete = record && record->status == LaunchStatus::complete;
  std::optional<std::string> found;
  if (record && !complete) {
    fs::rename(file, kept);
    found = kept;
  } else if (!record && fs::exists(file)) {
    fs::rename(file, folder.remains(name, attempt) + ".unreadable");
  }
  if (!complete && !found && keep_journal(file, kept)) found = kept;
  fs::remove(journal);
  remove_temporaries(file);
  return found;
}

}  // namespace hockney
