#include "campaign/conclusion.hpp"

#include <cstring>
#include <map>

#include "campaign/log_tail.hpp"
#include "core/durations.hpp"
#include "core/shares.hpp"

namespace hockney {
namespace {

std::string how_it_ended(const ProcessOutcome& outcome, Seconds limit) {
  switch (outcome.end) {
    case ProcessEnd::exited:
      break;
    case ProcessEnd::killed:
      return "killed by signal " + std::to_string(outcome.signal) + ", " +
             strsignal(outcome.signal);
    case ProcessEnd::timed_out:
      return "not done within " + format_duration(limit);
    case ProcessEnd::interrupted:
      return "stopped with the campaign";
  }
  if (outcome.exit_code == 0) return {};
  return "exit code " + std::to_string(outcome.exit_code);
}

AttemptStatus status_of(const ProcessOutcome& outcome, const RecordCheck& record) {
  if (record.complete) return AttemptStatus::complete;
  const bool stopped = outcome.end == ProcessEnd::interrupted;
  return stopped ? AttemptStatus::interrupted : AttemptStatus::failed;
}

/// The last try at each launch decides.
std::map<std::string, Attempt> last_attempts(const Manifest& manifest) {
  std::map<std::string, Attempt> last;
  for (const Attempt& attempt : manifest.attempts) last[attempt.name()] = attempt;
  return last;
}

}  // namespace

void conclude(Attempt& attempt, const ProcessOutcome& outcome, const RecordCheck& record,
              Seconds limit) {
  attempt.status = status_of(outcome, record);
  attempt.duration_seconds = outcome.duration.value;
  if (outcome.signal != 0) {
    attempt.signal = outcome.signal;
  } else {
    attempt.exit_code = outcome.exit_code;
  }
  attempt.reason = how_it_ended(outcome, limit);
  if (record.complete) {
    attempt.last_lines.clear();
    attempt.measuring_seconds = record.findings->measuring.value;
    if (!attempt.reason.empty()) attempt.reason += ", though the record is complete";
  } else {
    if (attempt.reason.empty()) attempt.reason = record.why_not;
    if (!attempt.last_lines.empty()) attempt.reason += ": " + attempt.last_lines.back();
  }
  const bool by_itself = outcome.end == ProcessEnd::exited || outcome.end == ProcessEnd::killed;
  if (outcome.strays > 0 && by_itself) {
    attempt.reason += attempt.reason.empty() ? "" : "; ";
    attempt.reason += std::to_string(outcome.strays) + " processes outlived the launcher";
  }
}

std::optional<Message> what_was_refused(const ProcessOutcome& outcome, const std::string& log) {
  constexpr int bad_input = static_cast<int>(ExitCode::bad_input);
  if (outcome.end != ProcessEnd::exited || outcome.exit_code != bad_input) return std::nullopt;
  constexpr std::size_t longest = 4000;
  const std::vector<std::string> said = last_lines(log, 1, longest);
  if (!said.empty()) return Message{said.front(), "", ""};
  return Message{"the program refuses its arguments", "it ended with exit code 2 and said nothing",
                 "try one launch of --dry-run by hand"};
}

std::optional<Message> what_is_missing(const Manifest& manifest, const CampaignFolder& folder) {
  if (manifest.status == CampaignStatus::complete) return std::nullopt;
  const std::string again = "go on with --out " + folder.root.string() + " --resume";
  int complete = 0;
  std::optional<Attempt> failed;
  for (const auto& [name, attempt] : last_attempts(manifest)) {
    if (attempt.status == AttemptStatus::complete) ++complete;
    if (attempt.status == AttemptStatus::failed && !failed) failed = attempt;
  }
  const auto planned =
      manifest.config.settings.size() * static_cast<std::size_t>(manifest.launches);
  const std::string count =
      std::to_string(complete) + " of " + std::to_string(planned) + " launches are complete";
  if (manifest.status == CampaignStatus::interrupted) {
    return Message{"campaign interrupted", count, again};
  }
  if (!failed) return Message{"campaign not complete", count, again};
  return Message{
      "launch " + failed->name() + " failed (" + failed->reason + "), log " + failed->log, count,
      again};
}

std::optional<std::string> what_was_reached(const Manifest& manifest) {
  if (!manifest.precision || manifest.status != CampaignStatus::complete) return std::nullopt;
  const Precision& precision = *manifest.precision;
  const double asked = precision_of(manifest.config).value_or(default_precision);
  std::string line = std::to_string(manifest.launches) +
                     (manifest.launches == 1 ? " launch" : " launches") + " of each setting (" +
                     manifest.launches_because + "); " + std::to_string(precision.within) + " of " +
                     std::to_string(precision.points) + " intervals are within " +
                     format_share(asked) + " of their median";
  if (precision.widest_at.empty()) return line + ", none could be made of so few launches";
  return line + ", the widest is " + format_share(precision.widest) + ": " + precision.widest_at;
}

}  // namespace hockney
