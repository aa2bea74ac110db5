#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/manifest.hpp"
#include "campaign/request.hpp"
#include "campaign/stopping.hpp"
#include "campaign/subprocess.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"

namespace hockney::campaign {

/// The record file of a launch. It is read once, changed in memory, and written once. A launch is
/// complete when its record is: it exists, loads and says so.
class LaunchRecord {
 public:
  explicit LaunchRecord(std::string file);

  /// nullopt where there is no record, or none that can be read.
  [[nodiscard]] const std::optional<Record>& record() const { return record_; }
  [[nodiscard]] bool is_complete() const;
  /// "no record was written", "...: key 'x' is missing"; empty of a complete launch.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// The record, which must be there, for a change that save() or move_to() writes.
  Record& change();
  void save();
  /// Moves the file with all changes; then there is no record of the launch.
  void move_to(const std::string& file);
  [[nodiscard]] Record take() && { return std::move(record_).value(); }

 private:
  std::string file_;
  std::optional<Record> record_;
  std::string why_not_;
  bool is_changed_ = false;
};

/// How the record file of a launch stands.
struct RecordCheck {
  bool complete = false;
  std::string why_not;                     ///< as LaunchRecord has it
  std::optional<LaunchFindings> findings;  ///< of a complete record
};

RecordCheck check_record(const LaunchRecord& launch);

/// The records of a campaign's launches, each file read once.
class LaunchRecords {
 public:
  /// The folder must outlive it.
  explicit LaunchRecords(const Folder& folder) : folder_(folder) {}

  /// The record of a launch, which is read when it is first asked for.
  LaunchRecord& at(const std::string& name);
  /// Keeps a complete record as Kept::times; forgets any other one, as the next attempt writes it
  /// anew. Every change must have been saved.
  void settle(const std::string& name);
  /// Those that were settled.
  [[nodiscard]] ReadRecords take() && { return std::move(settled_); }

 private:
  const Folder& folder_;
  std::map<std::string, LaunchRecord> unsettled_;  ///< by name of the launch
  ReadRecords settled_;
  const Record* last_ = nullptr;  ///< of those
};

/// The settings that a launch asked for, by its environment or by its launcher's --mca, and that
/// the MPI library ignored, one text each: its control variables tell another value or none, the
/// ranks never saw the variable, or the library said so in the log. Messages that took another path
/// than the launch expects count too. Empty for a launch that asks for nothing: what its library
/// says is no answer to it.
std::vector<std::string> ignored_settings(const Command& command, const Record& record,
                                          const std::string& log);

/// How the record of an attempt stands, the proof of its settings included. Faults that the library
/// reported in the log are added to the record, which is the caller's to save. Settings that were
/// ignored are in `attempt.ignored_settings`; by default they make the launch a failed one, whose
/// record goes to where those of interrupted attempts are (in attempt.remains), or else are flagged
/// in the record.
RecordCheck check_attempt(const Folder& folder, IgnoredSettings policy, Attempt& attempt,
                          LaunchRecord& launch);

/// Fills in how an attempt ended, from how its launcher ended, its record, and the cause that its
/// log gives (campaign/failure_cause.hpp). A complete record counts, however the launcher ended,
/// and tells how long was measured.
void close_attempt(Attempt& attempt, const ProcessOutcome& outcome, const RecordCheck& record,
                   Seconds limit);

/// The line of a program that refused its arguments (exit code 2), as every other launch of it
/// would; nullopt for one that ended otherwise.
std::optional<Message> what_was_refused(const ProcessOutcome& outcome, const std::string& log);

/// The one line about a campaign that is not complete: what failed, why, where the log is, how to
/// go on; nullopt for one that is.
std::optional<Message> what_is_missing(const Manifest& manifest, const Folder& folder);

/// The settings of which no further launch is worth its time, in the config's order: all, when each
/// was tried, two launches at least, and all failed alike; else those that failed alike three
/// times. None of which a launch is complete. Attempts before the one with index `first` are those
/// of earlier drivers.
std::vector<std::string> hopeless_settings(const Manifest& manifest, std::size_t first = 0);

/// The settings of which launches were tried and none is complete, in the config's order.
std::vector<std::string> settings_that_failed(const Manifest& manifest);

/// How many launches there were and why no more, and how well that tells the medians: one line.
/// nullopt for a campaign that is not complete, of which what_is_missing speaks.
std::optional<std::string> what_was_reached(const Manifest& manifest);

/// Removes what writes of `file` left that never came to their rename.
void remove_temporaries(const std::string& file);

/// Clears away what an attempt that did not complete left among the records, and keeps what it had
/// measured: an unfinished record, or what its journal holds, as <remains>.json; a file that cannot
/// be read as <remains>.unreadable. Returns the record it kept. With a complete record in place
/// only leftovers beside it are removed. `launch` is the record of the launch `name`.
std::optional<std::string> salvage(const Folder& folder, const std::string& name, int attempt,
                                   LaunchRecord& launch);

/// The manifest of the campaign in the folder, with what the request says of when to stop.
/// InputError when the config, the ranks or the seed differ from those of the campaign.
Manifest manifest_to_resume(const Request& request, const Folder& folder);

/// The manifest a campaign starts from: a fresh one, or that of the folder when it is to be
/// resumed. The folder must be locked. InputError when the folder is used and `resume` is not set,
/// or when the config, the ranks or the seed differ from those of the campaign in the folder. A
/// driver that was killed leaves an attempt `running`; it is closed here and its remains kept.
Manifest open_manifest(const Request& request, const Folder& folder, LaunchRecords& records);

}  // namespace hockney::campaign
