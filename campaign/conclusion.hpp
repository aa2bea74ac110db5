#pragma once

#include <optional>
#include <string>

#include "campaign/folder.hpp"
#include "campaign/manifest.hpp"
#include "campaign/remains.hpp"
#include "campaign/subprocess.hpp"
#include "core/error.hpp"

namespace hockney {

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
