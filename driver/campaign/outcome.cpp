#include "driver/campaign/outcome.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <utility>

#include "core/complaints.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"
#include "core/provenance.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/settings.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/crashing_points.hpp"
#include "driver/campaign/failure_cause.hpp"
#include "driver/campaign/stopping.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

/// Requested settings by variable. Open MPI's launcher turns `--mca NAME VALUE` into an environment
/// variable of its ranks.
std::map<std::string, std::string> requested_settings(const Command& command) {
  std::map<std::string, std::string> requested;
  for (const auto& [name, value] : command.environment) {
    if (requests_setting(name)) requested[name] = value;
  }
  const std::vector<std::string>& words = command.arguments;
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const bool option = words[i] == "--mca" || words[i] == "-mca" || words[i] == "--gmca";
    if (option) requested["OMPI_MCA_" + words[i + 1]] = words[i + 2];
  }
  return requested;
}

/// Why a setting is not effective; empty if it is effective or unknown.
std::string why_ignored(const std::string& variable, const std::string& value,
                        const Provenance& provenance) {
  const auto& judged = provenance.mpi.requested;
  const auto found = std::ranges::find(judged, variable, &RequestedSetting::variable);
  if (found == judged.end()) return "the ranks did not see it";
  if (found->requested != without_secret(variable, value))
    return fmt::format("the ranks saw '{}'", found->requested);
  return found->proof == Proof::ignored ? found->reason : "";
}

void raise(std::vector<std::string>& flags, std::string_view flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.emplace_back(flag);
}

/// Adds faults that the library reported in the log.
void note_library_report(LaunchRecord& launch, const std::string& log) {
  LibraryReport report = library_report(log);
  if (report.messages.empty()) return;
  Record& record = launch.change();
  raise(record.flags, report.lost_shared_memory ? library_degraded_flag : library_warned_flag);
  record.provenance.mpi.messages = std::move(report.messages);
}

/// Moves the record to the remains: its measurements are kept, but do not count for the setting.
std::string put_away(LaunchRecord& launch, const Folder& folder, const Attempt& attempt) {
  std::string kept = folder.leftover(attempt.name(), attempt.number) + ".json";
  launch.change().status = LaunchStatus::failed;
  launch.move_to(kept, "setting ignored");
  return kept;
}

std::string how_it_ended(const ProcessOutcome& outcome, Seconds limit) {
  switch (outcome.end) {
    case ProcessEnd::exited:
      break;
    case ProcessEnd::killed:
      return fmt::format("killed by signal {}, {}", outcome.signal, strsignal(outcome.signal));
    case ProcessEnd::timed_out:
      return "not done within " + format_duration(limit);
    case ProcessEnd::interrupted:
      return "stopped with the campaign";
  }
  if (outcome.exit_code == 0) return {};
  return fmt::format("exit code {}", outcome.exit_code);
}

AttemptStatus status_of(const ProcessOutcome& outcome, const LaunchRecord& launch) {
  if (launch.is_complete()) return AttemptStatus::complete;
  const bool stopped = outcome.end == ProcessEnd::interrupted;
  return stopped ? AttemptStatus::interrupted : AttemptStatus::failed;
}

/// The failed attempts of a setting without a complete launch, except those that died at a point
/// that is left out now.
std::vector<Attempt> vain_attempts(const Manifest& manifest, const std::string& setting,
                                   std::size_t first) {
  std::vector<Attempt> vain;
  for (std::size_t i = 0; i < manifest.attempts.size(); ++i) {
    const Attempt& attempt = manifest.attempts[i];
    if (attempt.setting != setting) continue;
    if (attempt.status == AttemptStatus::complete) return {};
    const bool is_failed = i >= first && attempt.status == AttemptStatus::failed;
    if (is_failed && !is_fixed(manifest, attempt)) vain.push_back(attempt);
  }
  return vain;
}

/// The largest number of attempts that failed alike, at the same point if at any. Equal failures
/// may differ in their text, since Open MPI sometimes loses a help text.
std::size_t most_alike(const std::vector<Attempt>& attempts) {
  std::size_t most = 0;
  for (const Attempt& one : attempts) {
    const auto alike = std::ranges::count_if(attempts, [&](const Attempt& other) {
      return is_same_failure(one.reason, other.reason) && one.died_at == other.died_at;
    });
    most = std::max(most, static_cast<std::size_t>(alike));
  }
  return most;
}

/// The beginning of a message: the settings that do not run.
std::string who_fails(const Manifest& manifest, const std::vector<std::string>& failing) {
  if (failing.empty()) return "";
  if (failing.size() == manifest.config.settings.size()) return "no setting runs: ";
  return fmt::format("{} {} not run: ", join(failing), failing.size() == 1 ? "does" : "do");
}

/// The last attempt of each launch, by name.
std::map<std::string, Attempt> last_attempts(const Manifest& manifest) {
  std::map<std::string, Attempt> last;
  for (const Attempt& attempt : manifest.attempts) last[attempt.name()] = attempt;
  return last;
}

/// Writes the journal as a record to `target`; false if the journal has no record. A journal with
/// an unusable header is kept under another name.
bool keep_journal(const std::string& record_file, const std::string& target) {
  try {
    const auto record = recover_journal(record_file);
    if (record) save_record(*record, target);
    return record.has_value();
  } catch (const InputError&) {
    fs::rename(journal_name(record_file), journal_name(target) + ".unreadable");
    return false;
  }
}

/// 32 bits, short enough to retype.
std::uint64_t drawn_seed() { return std::random_device{}(); }

/// The absolute name; empty for a built-in config, which has no file.
std::string absolute_name(const std::string& file) {
  return file.empty() ? file : fs::absolute(file).lexically_normal().string();
}

Manifest fresh_manifest(const Request& request) {
  const LaunchCount launches = first_plan(request.config, request.terms);
  Config config = request.config;
  config.file = absolute_name(config.file);
  return {.status = Status::running,
          .config = std::move(config),
          .program = request.program,
          .ranks = request.ranks,
          .seed = request.seed.value_or(drawn_seed()),
          .launches = launches.launches,
          .launches_because = launches.because,
          .started_utc = utc_now(),
          .elapsed_seconds = 0,
          .skipped = request.skipped,
          .attempts = {}};
}

[[noreturn]] void reject_difference(const std::string& key, const Folder& folder) {
  const std::string root = folder.root.string();
  throw InputError({fmt::format("'{}' differs from the campaign in '{}'", key, root),
                    "a campaign is resumed only as it was begun",
                    fmt::format("restore it, leave the config out (hockney run --resume --out {}), "
                                "or choose another --out",
                                shell_word(root))});
}

void check_same(const Manifest& manifest, const Request& request, const Folder& folder) {
  const auto key = differing_key(
      request.extends ? with_stopping_of(request.config, manifest.config) : manifest.config,
      request.config);
  if (key) reject_difference(*key, folder);
  if (manifest.ranks != request.ranks) reject_difference("ranks", folder);
  if (request.seed && *request.seed != manifest.seed) reject_difference("seed", folder);
}

void close_running_attempts(Manifest& manifest, const Folder& folder, LaunchRecords& records) {
  for (Attempt& attempt : manifest.attempts) {
    if (attempt.status != AttemptStatus::running) continue;
    LaunchRecord& launch = records.at(attempt.name());
    check_settings(folder, manifest.config.ignored_settings, attempt, launch);
    launch.save();
    attempt.status = launch.is_complete() ? AttemptStatus::complete : AttemptStatus::interrupted;
    attempt.reason = "the driver died during the launch";
    const auto salvaged = salvage(folder, attempt.name(), attempt.number, launch);
    if (salvaged) attempt.remains = salvaged;
  }
}

/// InputError if the folder has a campaign but `resume` is not set, or records without a manifest.
void check_content(const Folder& folder, bool resume) {
  const bool has_manifest = fs::exists(folder.manifest());
  if (has_manifest && !resume) {
    throw InputError({fmt::format("'{}' holds a campaign already", folder.root.string()),
                      "its records must not mix with new ones",
                      "go on with it by --resume, or choose another --out"});
  }
  if (!has_manifest && !fs::is_empty(folder.records())) {
    throw InputError({fmt::format("'{}' holds records without a manifest", folder.root.string()),
                      "nothing says which campaign they belong to", "choose another --out"});
  }
}

/// Removes temporary files of interrupted writes of `file`.
void remove_temporaries(const std::string& file) {
  const fs::path path(file);
  const std::string stem = path.filename().string() + ".tmp.";
  for (const auto& entry : fs::directory_iterator(path.parent_path())) {
    if (entry.path().filename().string().starts_with(stem)) fs::remove(entry.path());
  }
}

}  // namespace

LaunchRecord::LaunchRecord(std::string file) : file_(std::move(file)) {
  if (!fs::exists(file_)) {
    why_not_ = "no record was written";
    return;
  }
  try {
    record_ = load_record(file_);
    if (!is_complete()) why_not_ = "the record is of a launch that ended early";
  } catch (const InputError& error) {
    why_not_ = error.what();
  }
}

bool LaunchRecord::is_complete() const {
  return record_ && record_->status == LaunchStatus::complete;
}

Record& LaunchRecord::change() {
  is_changed_ = true;
  return record_.value();
}

void LaunchRecord::save() {
  if (is_changed_) save_record(record_.value(), file_);
  is_changed_ = false;
}

void LaunchRecord::move_to(const std::string& file, const std::string& why_not) {
  if (is_changed_) {
    save_record(record_.value(), file);
    fs::remove(file_);
  } else {
    fs::rename(file_, file);
  }
  is_changed_ = false;
  record_.reset();
  why_not_ = why_not;
}

LaunchRecord& LaunchRecords::at(const std::string& name) {
  const auto known = unsettled_.find(name);
  if (known != unsettled_.end()) return known->second;
  return unsettled_.emplace(name, LaunchRecord(folder_.record(name))).first->second;
}

void LaunchRecords::settle(const std::string& name) {
  auto launch = unsettled_.extract(name);
  if (!launch || !launch.mapped().is_complete()) return;
  Record& record = settled_[folder_.record(name)];
  record = std::move(launch.mapped()).take();
  keep_times(record);
  if (last_ != nullptr) record.points.share(last_->points);
  last_ = &record;
}

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

void check_settings(const Folder& folder, IgnoredSettings policy, Attempt& attempt,
                    LaunchRecord& launch) {
  if (!launch.is_complete()) return;
  const std::string log = log_text(attempt.log);
  note_library_report(launch, log);
  attempt.ignored_settings = ignored_settings(attempt.command, *launch.record(), log);
  if (attempt.ignored_settings.empty()) return;
  // The ranks have already flagged settings that they saw ignored.
  raise(launch.change().flags, setting_ignored_flag);
  if (policy != IgnoredSettings::flag) attempt.remains = put_away(launch, folder, attempt);
}

void close_attempt(Attempt& attempt, const ProcessOutcome& outcome, const LaunchRecord& launch,
                   const std::optional<LaunchFindings>& findings, Seconds limit) {
  attempt.status = status_of(outcome, launch);
  attempt.duration_seconds = outcome.duration.value;
  if (outcome.signal != 0) {
    attempt.signal = outcome.signal;
  } else {
    attempt.exit_code = outcome.exit_code;
  }
  attempt.reason = how_it_ended(outcome, limit);
  if (findings) {
    attempt.last_lines.clear();
    attempt.measuring_seconds = findings->measuring.value;
    if (const int left_out = findings->left_out; left_out > 0) {
      attempt.points_left_out = left_out;
      attempt.points_measured = static_cast<int>(findings->points.size());
    }
    if (!attempt.reason.empty()) attempt.reason += ", though the record is complete";
  } else {
    if (attempt.reason.empty()) attempt.reason = launch.why_not();
    const std::string cause = attempt.ignored_settings.empty() ? failure_cause_in_file(attempt.log)
                                                               : attempt.ignored_settings.back();
    if (!cause.empty()) attempt.reason += ": " + cause;
  }
  const bool by_itself = outcome.end == ProcessEnd::exited || outcome.end == ProcessEnd::killed;
  if (outcome.strays > 0 && by_itself) {
    attempt.reason +=
        fmt::format("{}{} {} outlived the launcher", attempt.reason.empty() ? "" : "; ",
                    outcome.strays, outcome.strays == 1 ? "process" : "processes");
  }
}

std::optional<Message> refusal_of(const ProcessOutcome& outcome, const std::string& log) {
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
  std::string again = fmt::format("go on with --out {} --resume", folder.root.string());
  int complete = 0;
  std::optional<Attempt> failed;
  for (const auto& [name, attempt] : last_attempts(manifest)) {
    if (attempt.status == AttemptStatus::complete) ++complete;
    if (attempt.status == AttemptStatus::failed && !failed) failed = attempt;
  }
  const auto planned =
      manifest.config.settings.size() * static_cast<std::size_t>(manifest.launches);
  const std::string count = fmt::format("{} of {} launches are complete", complete, planned);
  if (manifest.status == Status::interrupted) {
    const std::string& why = manifest.ended_because;
    return Message{"campaign interrupted" + (why.empty() ? why : ": " + why), count, again};
  }
  if (!failed) return Message{"campaign not complete", count, again};
  const std::vector<std::string> failing = failing_settings(manifest);
  if (failing.size() == manifest.config.settings.size()) again = "change the setting, or " + again;
  return Message{fmt::format("{}launch {} failed ({}), log {}", who_fails(manifest, failing),
                             failed->name(), failed->reason, failed->log),
                 count, again};
}

std::vector<std::string> failing_settings(const Manifest& manifest, std::size_t first) {
  constexpr std::size_t enough_tries = 3;
  std::vector<std::string> failing;
  std::vector<Attempt> all;
  bool every_one_fails = true;
  for (const Setting& setting : manifest.config.settings) {
    const std::vector<Attempt> vain = vain_attempts(manifest, setting.name, first);
    every_one_fails = every_one_fails && !vain.empty();
    all.insert(all.end(), vain.begin(), vain.end());
    if (most_alike(vain) >= enough_tries) failing.push_back(setting.name);
  }
  const bool all_alike = every_one_fails && all.size() > 1 && most_alike(all) == all.size();
  return all_alike ? strings_of(manifest.config.settings, &Setting::name) : failing;
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
  const std::string widest =
      precision.widest_at.empty()
          ? "none could be made of so few launches"
          : fmt::format("the widest is {}: {}", format_fraction(precision.widest),
                        precision.widest_at);
  return fmt::format(
      "{} of each setting ({}); {} of {} intervals are within {} of their median, {}",
      launches_text(manifest.launches), manifest.launches_because, precision.within,
      precision.points, format_fraction(requested), widest);
}

std::optional<std::string> start_up_text(const Manifest& manifest) {
  constexpr double least_share = 0.2;
  int launches = 0;
  bool is_shortened = false;
  Seconds start_up{};
  for (const Attempt& attempt : manifest.attempts) {
    if (attempt.status != AttemptStatus::complete || !attempt.measuring_seconds) continue;
    ++launches;
    is_shortened = is_shortened || attempt.points_left_out;
    start_up = start_up + Seconds{attempt.duration_seconds - *attempt.measuring_seconds};
  }
  if (!is_shortened || start_up.value < least_share * manifest.elapsed_seconds) return std::nullopt;
  return fmt::format(
      "{} took {} beside measuring (start of MPI, topology, probes): a larger --budget measures "
      "more points",
      launches_text(launches), format_duration(start_up));
}

std::optional<std::string> salvage(const Folder& folder, const std::string& name, int attempt,
                                   LaunchRecord& launch) {
  const std::string file = folder.record(name);
  const std::string journal = journal_name(file);
  const std::string kept = folder.leftover(name, attempt) + ".json";
  const bool complete = launch.is_complete();
  std::optional<std::string> found;
  if (launch.record() && !complete) {
    launch.move_to(kept);
    found = kept;
  } else if (!launch.record() && fs::exists(file)) {
    fs::rename(file, folder.leftover(name, attempt) + ".unreadable");
  }
  if (!complete && !found && keep_journal(file, kept)) found = kept;
  fs::remove(journal);
  remove_temporaries(file);
  return found;
}

Manifest manifest_to_resume(const Request& request, const Folder& folder) {
  Manifest manifest = load_manifest(folder.manifest());
  check_same(manifest, request, folder);
  manifest.config = with_stopping_of(request.config, std::move(manifest.config));
  return manifest;
}

Manifest open_manifest(const Request& request, const Folder& folder, LaunchRecords& records) {
  check_content(folder, request.resume);
  remove_temporaries(folder.manifest());
  if (!fs::exists(folder.manifest())) return fresh_manifest(request);
  Manifest manifest = manifest_to_resume(request, folder);
  manifest.status = Status::running;
  close_running_attempts(manifest, folder, records);
  return manifest;
}

}  // namespace hockney::campaign
