#include "campaign/judgement.hpp"

#include <algorithm>

#include "campaign/proof.hpp"
#include "core/atomic_file.hpp"
#include "core/record_file.hpp"
#include "settings/prove.hpp"

namespace hockney {
namespace {

namespace fs = std::filesystem;

std::string log_of(const Attempt& attempt) {
  std::error_code unreachable;
  return fs::exists(attempt.log, unreachable) ? read_file(attempt.log) : std::string();
}

/// The ranks have flagged what they could see themselves.
Record flagged(Record record) {
  if (std::ranges::find(record.flags, setting_ignored_flag) == record.flags.end()) {
    record.flags.emplace_back(setting_ignored_flag);
  }
  return record;
}

/// Nothing measured is lost, but it is no launch of its setting.
std::string put_away(Record record, const CampaignFolder& folder, const Attempt& attempt) {
  std::string kept = folder.remains(attempt.name(), attempt.number) + ".json";
  record.status = LaunchStatus::failed;
  save_record(flagged(std::move(record)), kept);
  fs::remove(folder.record(attempt.name()));
  return kept;
}

}  // namespace

RecordCheck judge_record(const CampaignFolder& folder, IgnoredSettings policy, Attempt& attempt) {
  const std::string file = folder.record(attempt.name());
  RecordCheck check = check_record(file);
  if (!check.complete) return check;
  const Record record = load_record(file);
  attempt.ignored_settings = ignored_settings(attempt.command, record, log_of(attempt));
  if (attempt.ignored_settings.empty()) return check;
  if (policy == IgnoredSettings::flag) {
    save_record(flagged(record), file);
    return check;
  }
  attempt.remains = put_away(record, folder, attempt);
  return {.why_not = "setting ignored"};
}

}  // namespace hockney
