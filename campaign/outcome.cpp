#include "campaign/outcome.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "campaign/failure_cause.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/secrets.hpp"
#include "core/settings/collective_variable.hpp"
#include "core/settings/prove.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney::campaign {
namespace {

/// `--mca NAME VALUE` of Open MPI's launcher is a variable of the environment to its ranks.
std::map<std::string, std::string> requested_settings(const Command& command) {
  std::map<std::string, std::string> requested;
  for (const auto& [name, value] : command.environment) {
    if (asks_for_setting(name)) requested[name] = value;
  }
  const std::vector<std::string>& words = command.arguments;
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const bool option = words[i] == "--mca" || words[i] == "-mca" || words[i] == "--gmca";
    if (option) requested["OMPI_MCA_" + words[i + 1]] = words[i + 2];
  }
  return requested;
}

/// Why a setting is known not to be effective; empty otherwise.
std::string why_ignored(const std::string& variable, const std::string& value,
                        const Provenance& provenance) {
  const auto& judged = provenance.mpi.requested;
  const auto found = std::ranges::find(judged, variable, &RequestedSetting::variable);
  if (found == judged.end()) return "the ranks did not see it";
  if (found->requested != without_secret(variable, value))
    return "the ranks saw '" + found->requested + "'";
  return found->proof == Proof::ignored ? found->reason : "";
}

void raise(std::vector<std::string>& flags, std::string_view flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.emplace_back(flag);
}

/// Adds what faults the library reported in the log.
void note_library_report(LaunchRecord& launch, const std::string& log) {
  LibraryReport report = library_report(log);
  if (report.messages.empty()) return;
  Record& record = launch.change();
  raise(record.flags, report.lost_shared_memory ? library_degraded_flag : library_warned_flag);
  record.provenance.mpi.messages = std::move(report.messages);
}

/// Nothing measured is lost, but it is no launch of its setting.
std::string put_away(LaunchRecord& launch, const Folder& folder, const Attempt& attempt) {
  std::string kept = folder.leftover(attempt.name(), attempt.number) + ".json";
  launch.change().status = LaunchStatus::failed;
  launch.move_to(kept);
  return kept;
}

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

/// The failed tries at a setting that has no complete launch.
std::vector<Attempt> vain_attempts(const Manifest& manifest, const std::string& setting,
                                   std::size_t first) {
  std::vector<Attempt> vain;
  for (std::size_t i = 0; i < manifest.attempts.size(); ++i) {
    const Attempt& attempt = manifest.attempts[i];
    if (attempt.setting != setting) continue;
    if (attempt.status == AttemptStatus::complete) return {};
    if (i >= first && attempt.status == AttemptStatus::failed) vain.push_back(attempt);
  }
  return vain;
}

/// The largest number of them that failed alike. Of equal failures one may say something else: Open
/// MPI loses a help text now and then.
std::size_t most_alike(const std::vector<Attempt>& attempts) {
  std::size_t most = 0;
  for (const Attempt& one : attempts) {
    const auto alike = std::ranges::count_if(
        attempts, [&](const Attempt& other) { return is_same_failure(one.reason, other.reason); });
    most = std::max(most, static_cast<std::size_t>(alike));
  }
  return most;
}

/// What the first failed launch of the settings is evidence of.
std::string who_fails(const Manifest& manifest, const std::vector<std::string>& hopeless) {
  if (hopeless.empty()) return "";
  if (hopeless.size() == manifest.config.settings.size()) return "no setting runs: ";
  return join(hopeless) + (hopeless.size() == 1 ? " does" : " do") + " not run: ";
}

/// The last try at each launch decides.
std::map<std::string, Attempt> last_attempts(const Manifest& manifest) {
  std::map<std::string, Attempt> last;
  for (const Attempt& attempt : manifest.attempts) last[attempt.name()] = attempt;
  return last;
}

}  // namespace

std::vector<std::string> ignored_settings(const Command& command, const Record& record,
                                          const std::string& log) {
  std::vector<std::string> ignored;
  const bool differs = std::ranges::find(record.flags, path_differs_flag) != record.flags.end();
  if (differs) ignored.emplace_back("--expect-path (another path is proven, or none)");
  const auto requested = requested_settings(command);
  if (requested.empty()) return ignored;
  for (std::string& complaint : complaints_in(log)) ignored.push_back(std::move(complaint));
  for (const auto& [variable, value] : requested) {
    const std::string why = why_ignored(variable, value, record.provenance);
    if (why.empty()) continue;
    ignored.push_back(complaint_of({.variable = variable, .requested = value, .reason = why}));
  }
  return ignored;
}

RecordCheck check_attempt(const Folder& folder, IgnoredSettings policy, Attempt& attempt,
                          LaunchRecord& launch) {
  RecordCheck check = check_record(launch);
  if (!check.complete) return check;
  const std::string log = log_text(attempt.log);
  note_library_report(launch, log);
  attempt.ignored_settings = ignored_settings(attempt.command, *launch.record(), log);
  if (attempt.ignored_settings.empty()) return check;
  // The ranks have flagged what they could see themselves.
  raise(launch.change().flags, setting_ignored_flag);
  if (policy == IgnoredSettings::flag) return check;
  attempt.remains = put_away(launch, folder, attempt);
  return {.why_not = "setting ignored", .findings = {}};
}

void close_attempt(Attempt& attempt, const ProcessOutcome& outcome, const RecordCheck& record,
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
    if (const int left_out = record.findings->left_out; left_out > 0) {
      attempt.points_left_out = left_out;
    }
    if (!attempt.reason.empty()) attempt.reason += ", though the record is complete";
  } else {
    if (attempt.reason.empty()) attempt.reason = record.why_not;
    const std::string cause = attempt.ignored_settings.empty() ? failure_cause_in_file(attempt.log)
                                                               : attempt.ignored_settings.back();
    if (!cause.empty()) attempt.reason += ": " + cause;
  }
  const bool by_itself = outcome.end == ProcessEnd::exited || outcome.end == ProcessEnd::killed;
  if (outcome.strays > 0 && by_itself) {
    attempt.reason += attempt.reason.empty() ? "" : "; ";
    attempt.reason += std::to_string(outcome.strays) +
                      (outcome.strays == 1 ? " process" : " processes") + " outlived the launcher";
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

std::optional<Message> what_is_missing(const Manifest& manifest, const Folder& folder) {
  if (manifest.status == Status::complete) return std::nullopt;
  std::string again = "go on with --out " + folder.root.string() + " --resume";
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
  if (manifest.status == Status::interrupted) {
    const std::string& why = manifest.ended_because;
    return Message{"campaign interrupted" + (why.empty() ? why : ": " + why), count, again};
  }
  if (!failed) return Message{"campaign not complete", count, again};
  const std::vector<std::string> hopeless = hopeless_settings(manifest);
  if (hopeless.size() == manifest.config.settings.size()) again = "change the setting, or " + again;
  return Message{who_fails(manifest, hopeless) + "launch " + failed->name() + " failed (" +
                     failed->reason + "), log " + failed->log,
                 count, again};
}

std::vector<std::string> hopeless_settings(const Manifest& manifest, std::size_t first) {
  constexpr std::size_t enough_tries = 3;
  std::vector<std::string> hopeless;
  std::vector<Attempt> all;
  bool every_one_fails = true;
  for (const Setting& setting : manifest.config.settings) {
    const std::vector<Attempt> vain = vain_attempts(manifest, setting.name, first);
    every_one_fails = every_one_fails && !vain.empty();
    all.insert(all.end(), vain.begin(), vain.end());
    if (most_alike(vain) >= enough_tries) hopeless.push_back(setting.name);
  }
  const bool all_alike = every_one_fails && all.size() > 1 && most_alike(all) == all.size();
  return all_alike ? strings_of(manifest.config.settings, &Setting::name) : hopeless;
}

std::vector<std::string> settings_that_failed(const Manifest& manifest) {
  std::vector<std::string> failed;
  for (const Setting& setting : manifest.config.settings) {
    bool was_tried = false;
    bool is_complete = false;
    for (const Attempt& attempt : manifest.attempts) {
      if (attempt.setting != setting.name) continue;
      was_tried = true;
      is_complete = is_complete || attempt.status == AttemptStatus::complete;
    }
    if (was_tried && !is_complete) failed.push_back(setting.name);
  }
  return failed;
}

std::optional<std::string> what_was_reached(const Manifest& manifest) {
  if (!manifest.precision || manifest.status != Status::complete) return std::nullopt;
  const Precision& precision = *manifest.precision;
  const double requested = precision_of(manifest.config).value_or(default_precision);
  std::string line = launches_text(manifest.launches) + " of each setting (" +
                     manifest.launches_because + "); " + std::to_string(precision.within) + " of " +
                     std::to_string(precision.points) + " intervals are within " +
                     format_fraction(requested) + " of their median";
  if (precision.widest_at.empty()) return line + ", none could be made of so few launches";
  return line + ", the widest is " + format_fraction(precision.widest) + ": " + precision.widest_at;
}

}  // namespace hockney::campaign
