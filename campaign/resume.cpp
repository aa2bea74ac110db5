#include "campaign/resume.hpp"

#include <random>
#include <utility>

#include "campaign/outcome.hpp"
#include "campaign/stopping.hpp"
#include "core/error.hpp"
#include "core/journal.hpp"
#include "core/record_file.hpp"
#include "core/time.hpp"

namespace hockney::campaign {
namespace {

namespace fs = std::filesystem;

/// The journal as a record at `target`; false when it holds none. A journal whose header cannot be
/// used stays, under another name.
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

/// 32 bits, so that everybody can type it again.
std::uint64_t drawn_seed() { return std::random_device{}(); }

/// A config that is built in has no file.
std::string absolute_name(const std::string& file) {
  return file.empty() ? file : fs::absolute(file).lexically_normal().string();
}

Manifest fresh_manifest(const Request& request) {
  const LaunchCount launches = first_plan(request.config, request.terms);
  return {.status = Status::running,
          .config = request.config,
          .config_file = absolute_name(request.config_file),
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
  throw InputError({"'" + key + "' differs from the campaign in '" + root + "'",
                    "a campaign is resumed only as it was begun",
                    "restore it, leave the config out (hockney run --resume --out " + root +
                        "), or choose another --out"});
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
    const bool complete =
        check_attempt(folder, manifest.config.ignored_settings, attempt, launch).complete;
    launch.save();
    attempt.status = complete ? AttemptStatus::complete : AttemptStatus::interrupted;
    attempt.reason = "the driver died during the launch";
    const auto salvaged = salvage(folder, attempt.name(), attempt.number, launch);
    if (salvaged) attempt.remains = salvaged;
  }
}

/// InputError when the folder's content does not go with a fresh start or with resuming.
void check_content(const Folder& folder, bool resume) {
  const bool has_manifest = fs::exists(folder.manifest());
  if (has_manifest && !resume) {
    throw InputError({"'" + folder.root.string() + "' holds a campaign already",
                      "its records must not mix with new ones",
                      "go on with it by --resume, or choose another --out"});
  }
  if (!has_manifest && !fs::is_empty(folder.records())) {
    throw InputError({"'" + folder.root.string() + "' holds records without a manifest",
                      "nothing says which campaign they belong to", "choose another --out"});
  }
}

}  // namespace

void remove_temporaries(const std::string& file) {
  const fs::path path(file);
  const std::string stem = path.filename().string() + ".tmp.";
  for (const auto& entry : fs::directory_iterator(path.parent_path())) {
    if (entry.path().filename().string().starts_with(stem)) fs::remove(entry.path());
  }
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
