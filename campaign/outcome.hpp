#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/folder.hpp"
#include "campaign/launch_records.hpp"
#include "campaign/manifest.hpp"
#include "campaign/subprocess.hpp"
#include "core/error.hpp"

namespace hockney::campaign {

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

}  // namespace hockney::campaign
