#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/record_file.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/request.hpp"
#include "driver/campaign/stopping.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::campaign {

/// The record file of a launch. It is read once, changed in memory, and written once. A launch is
/// complete if its record exists, loads and has the status complete.
class LaunchRecord {
 public:
  explicit LaunchRecord(std::string file);

  /// nullopt if the record is missing or cannot be read.
  [[nodiscard]] const std::optional<Record>& record() const { return record_; }
  [[nodiscard]] bool is_complete() const;
  /// "no record was written", "...: key 'x' is missing"; empty for a complete launch.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

  /// The record for a change, which save() or move_to() writes. It must exist.
  Record& change();
  void save();
  /// Moves the file with all changes; then the launch has no record, and `why_not` is the reason.
  void move_to(const std::string& file, const std::string& why_not = "no record was written");
  /// The record, which must exist.
  // NOLINTNEXTLINE(bugprone-unchecked-optional-access): value() throws
  [[nodiscard]] Record take() && { return std::move(record_.value()); }

 private:
  std::string file_;
  std::optional<Record> record_;
  std::string why_not_;
  bool is_changed_ = false;
};

/// The records of a campaign's launches, each file read once.
class LaunchRecords {
 public:
  /// `folder` must outlive the object.
  explicit LaunchRecords(const Folder& folder) : folder_(folder) {}

  /// The record of a launch, read at the first call.
  LaunchRecord& at(const std::string& name);
  /// Keeps a complete record as Kept::times; drops an incomplete one, since the next attempt writes
  /// it anew. All changes must have been saved.
  void settle(const std::string& name);
  /// The settled records.
  [[nodiscard]] ReadRecords take() && { return std::move(settled_); }

 private:
  const Folder& folder_;
  std::map<std::string, LaunchRecord> unsettled_;  ///< by name of the launch
  ReadRecords settled_;
  const Record* last_ = nullptr;  ///< of the settled records
};

/// Settings that a launch requested (by its environment or by --mca) and that the MPI library
/// ignored, one text each. A setting counts as ignored if its control variable has another value or
/// none, the ranks did not see the variable, or the library reported it in the log. A message path
/// other than the expected one counts too. Without requested settings, the log is not searched.
std::vector<std::string> ignored_settings(const Command& command, const Record& record,
                                          const std::string& log);

/// Checks whether the settings of a complete launch were effective. Adds faults that the library
/// reported in the log to the record; the caller saves it. Ignored settings are listed in
/// `attempt.ignored_settings`. By default they fail the launch, and its record moves to the remains
/// of interrupted attempts (attempt.remains). Under IgnoredSettings::flag they only flag the
/// record.
void check_settings(const Folder& folder, IgnoredSettings policy, Attempt& attempt,
                    LaunchRecord& launch);

/// Fills in the end of an attempt, from its launcher's exit, its record, and the cause in its log
/// (driver/campaign/failure_cause.hpp). A complete record counts even if the launcher failed; its
/// `findings` also give the measuring time.
void close_attempt(Attempt& attempt, const ProcessOutcome& outcome, const LaunchRecord& launch,
                   const std::optional<LaunchFindings>& findings, Seconds limit);

/// The error message of a program that refused its arguments (exit code 2). Every other launch
/// would fail alike. nullopt for any other end.
std::optional<Message> refusal_of(const ProcessOutcome& outcome, const std::string& log);

/// One line about an incomplete campaign: the failure, its cause, its log and how to resume.
/// nullopt if the campaign is complete.
std::optional<Message> what_is_missing(const Manifest& manifest, const Folder& folder);

/// The settings that are not launched again, in the config's order. All settings, if each was
/// tried, in two launches at least, and all failed alike. Otherwise those that failed alike three
/// times. Settings with a complete launch are never included. Attempts before index `first` belong
/// to earlier drivers.
std::vector<std::string> failing_settings(const Manifest& manifest, std::size_t first = 0);

/// The settings with attempts but without a complete launch, in the config's order.
std::vector<std::string> settings_that_failed(const Manifest& manifest);

/// One line about a complete campaign: the number of launches, its reason, and the precision of the
/// medians. nullopt for an incomplete campaign; see what_is_missing.
std::optional<std::string> what_was_reached(const Manifest& manifest);

/// One line about the start-up of the launches, if a fifth of the time went into it and points were
/// left out for lack of time; else nullopt.
std::optional<std::string> start_up_text(const Manifest& manifest);

/// Moves the remains of an incomplete attempt out of the records. Keeps its measurements as
/// <remains>.json: an unfinished record, or the content of its journal. An unreadable file becomes
/// <remains>.unreadable. Returns the name of the kept record. If the record is complete, removes
/// only temporary files. `launch` is the record of the launch `name`.
std::optional<std::string> salvage(const Folder& folder, const std::string& name, int attempt,
                                   LaunchRecord& launch);

/// The manifest of the campaign in the folder, with the request's launches, precision and budget.
/// InputError if config, ranks or seed differ from those of the campaign.
Manifest manifest_to_resume(const Request& request, const Folder& folder);

/// The manifest at the start of a campaign: a new one, or that of the resumed campaign. The folder
/// must be locked. An attempt that a killed driver left `running` is closed here, and its remains
/// are kept.
/// InputError if the folder is used and `resume` is not set, or if config, ranks or seed differ.
Manifest open_manifest(const Request& request, const Folder& folder, LaunchRecords& records);

}  // namespace hockney::campaign
