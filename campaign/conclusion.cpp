#include "campaign/conclusion.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "campaign/findings.hpp"
#include "core/atomic_file.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/settings/prove.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

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

namespace {

/// The end of a file; logs of a job gone wild can be large.
std::string last_bytes(const std::string& file, std::streamoff count) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - count));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Bytes above 127 may be cut within a character of UTF-8, which JSON cannot hold.
bool is_plain(char c) { return c >= ' ' && c <= '~'; }

/// Launchers put what they say about a job that failed between two long rulers: Open MPI of '-',
/// Hydra of '='.
bool is_fence(const std::string& line) {
  constexpr std::size_t shortest = 40;
  return line.size() >= shortest &&
         line.find_first_not_of(line.front() == '=' ? "=" : "-") == std::string::npos;
}

/// Slurm's launcher says so itself when a task has failed.
bool is_of_slurm(const std::string& line) {
  return line.starts_with("srun: ") || line.starts_with("slurmstepd: ");
}

std::vector<std::string> telling_lines(const std::string& text, std::size_t longest) {
  std::vector<std::string> all;
  std::vector<std::string> of_program;
  bool fenced = false;
  for (std::string& line : split(text, '\n')) {
    std::erase_if(line, [](char c) { return !is_plain(c); });
    if (is_fence(line)) fenced = !fenced;
    if (line.find_first_not_of(" -=") == std::string::npos) continue;
    if (line.size() > longest) line.resize(longest);
    if (!fenced && !is_of_slurm(line)) of_program.push_back(line);
    all.push_back(std::move(line));
  }
  return of_program.empty() ? all : of_program;
}

}  // namespace

std::vector<std::string> last_lines(const std::string& log_file, std::size_t count,
                                    std::size_t longest) {
  constexpr std::streamoff read_bytes = 8192;
  std::vector<std::string> lines = telling_lines(last_bytes(log_file, read_bytes), longest);
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<long>(count));
  return lines;
}

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
