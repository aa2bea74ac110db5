#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/folder.hpp"
#include "campaign/manifest.hpp"
#include "campaign/resume.hpp"
#include "campaign/subprocess.hpp"
#include "core/error.hpp"

namespace hockney {

/// How the record of an attempt stands, the proof of its settings included. Settings that were
/// ignored are in `attempt.ignored_settings`; by default they make the launch a failed one, whose
/// record goes to where those of interrupted attempts are (in attempt.remains), or else are flagged
/// in the record.
RecordCheck judge_record(const CampaignFolder& folder, IgnoredSettings policy, Attempt& attempt);

/// The last `count` lines of a log that say something (neither blank nor a ruler), each cut to
/// `longest` characters and free of control characters; empty when there is no log. What the
/// launcher says, between rulers or in its own name, counts only when the program itself said
/// nothing.
std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest = 200);

/// Fills in how an attempt ended, from how its launcher ended, its record, and the last lines of
/// its log (in attempt.last_lines). A complete record counts, however the launcher ended, and
/// tells how long was measured.
void conclude(Attempt& attempt, const ProcessOutcome& outcome, const RecordCheck& record,
              Seconds limit);

/// The line of a program that refused its arguments (exit code 2), as every other launch of it
/// would; nullopt for one that ended otherwise.
std::optional<Message> what_was_refused(const ProcessOutcome& outcome, const std::string& log);

/// The one line about a campaign that is not complete: what failed, why, where the log is, how to
/// go on; nullopt for one that is.
std::optional<Message> what_is_missing(const Manifest& manifest, const CampaignFolder& folder);

/// How many launches there were and why no more, and how well that tells the medians: one line.
/// nullopt for a campaign that is not complete, of which what_is_missing speaks.
std::optional<std::string> what_was_reached(const Manifest& manifest);

}  // namespace hockney
