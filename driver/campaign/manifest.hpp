#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/json_functions.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/request.hpp"
#include "driver/campaign/stopping.hpp"

namespace hockney::campaign {

/// The files of a campaign. `name` is from launch_name.
struct Folder {
  std::filesystem::path root;  ///< absolute, since launchers may change folder

  [[nodiscard]] std::string manifest() const { return (root / "manifest.json").string(); }
  /// The network of the hosts as a site file, if known.
  [[nodiscard]] std::string network() const { return (root / "network.json").string(); }
  /// The network inferred from the latencies, if no source described it.
  [[nodiscard]] std::string guessed_network() const {
    return (root / "network-guess.json").string();
  }
  [[nodiscard]] std::string page() const { return (root / "page.html").string(); }
  [[nodiscard]] std::string lock() const { return (root / "campaign.lock").string(); }
  [[nodiscard]] std::string records() const { return (root / "records").string(); }
  [[nodiscard]] std::string record(const std::string& name) const {
    return (root / "records" / (name + ".json")).string();
  }
  [[nodiscard]] std::string log(const std::string& name, int attempt) const {
    return (root / "logs" / (name + "-" + std::to_string(attempt) + ".log")).string();
  }
  /// The remains of an attempt that did not complete.
  [[nodiscard]] std::string leftover(const std::string& name, int attempt) const {
    return (root / "interrupted" / (name + "-" + std::to_string(attempt))).string();
  }
  /// Folder of verification runs; hockney 0.1 used another name.
  [[nodiscard]] std::filesystem::path verifications() const {
    const std::filesystem::path former = root / "witness";
    return std::filesystem::exists(former) ? former : root / "verification";
  }
  /// A file of a verification run of a setting: `part` is ".json", "-1.jsonl", "-1.log".
  [[nodiscard]] std::string verification(const std::string& setting,
                                         const std::string& part) const {
    return (verifications() / (setting + part)).string();
  }
};

/// The absolute folder; creates nothing.
Folder campaign_folder(const std::string& folder);

/// Creates the folder and its parts; RunError if the file system refuses.
void make_folders(const Folder& folder);

/// Keeps a second driver out of a campaign's folder. Uses flock(2), so the lock ends with the
/// process in any case. The guardian of a launch inherits the lock: the folder stays locked while
/// the remains of a killed driver's launch are removed.
class FolderLock {
 public:
  /// Locks `file` and creates it if missing. Waits at most `patience` for the guardians of a dead
  /// driver; InputError with the holder's name if a driver runs.
  explicit FolderLock(const std::string& file, Seconds patience = {20});

 private:
  FileDescriptor descriptor_;
};

inline constexpr std::string_view manifest_schema = "hockney.manifest/1";

/// `running` in the manifest of an unlocked folder means that the driver died during the attempt.
enum class AttemptStatus { running, complete, failed, interrupted };

constexpr auto words_of(std::type_identity<AttemptStatus>) {
  return std::to_array<std::string_view>({"running", "complete", "failed", "interrupted"});
}

/// One attempt at one planned launch.
struct Attempt {
  std::string setting;
  int launch = 1;
  int number = 1;  ///< of the attempts at this launch
  AttemptStatus status = AttemptStatus::running;
  std::string reason;  ///< why it failed or ended late; empty if neither
  std::optional<int> exit_code;
  std::optional<int> signal;
  Command command;
  std::string started_utc;
  double duration_seconds = 0;              ///< wall time of the launcher
  std::optional<double> slot_seconds;       ///< its measuring time from the budget
  std::optional<double> measuring_seconds;  ///< of a complete launch, from its record
  std::optional<int> points_left_out;       ///< to keep to its slot; nullopt: none
  std::optional<int> points_measured{};     ///< if some were left out
  std::string log;
  std::vector<std::string> ignored_settings;  ///< requested, but ignored by the library
  std::optional<std::string> remains;         ///< record of its measurements if it ended early
  std::string died_at;                        ///< PointChoice with the reason; empty: at none
  std::vector<std::string> last_lines;        ///< of its log, if it did not complete

  [[nodiscard]] std::string name() const { return launch_name(setting, launch); }
};

enum class Status { running, complete, incomplete, interrupted };

constexpr auto words_of(std::type_identity<Status>) {
  return std::to_array<std::string_view>({"running", "complete", "incomplete", "interrupted"});
}

/// The plan and the attempts of a campaign: document `hockney.manifest/1`, rewritten before and
/// after every launch.
struct Manifest {
  Status status = Status::running;
  Config config;        ///< as run, options of the command line included
  std::string program;  ///< the executable that was launched
  int ranks = 1;
  std::uint64_t seed = 0;
  int launches = 1;              ///< planned so far, per setting
  std::string launches_because;  ///< why so many
  std::string ended_because;  ///< cause of an incomplete campaign; empty for a signal or a failure
  std::optional<Precision> precision;  ///< of the complete launches; nullopt before there are any
  std::string started_utc;
  double elapsed_seconds = 0;               ///< wall time of all drivers so far
  std::vector<SkippedCombination> skipped;  ///< of the sweep, and why
  std::optional<SiteOrigin> network;        ///< source of the network in network.json
  std::vector<Attempt> attempts;

  /// Number of launches with a complete record.
  [[nodiscard]] int complete_launches() const;
  /// Duration of the longest attempt; 0 without attempts.
  [[nodiscard]] Seconds longest_attempt() const;
  /// Median measuring time that complete launches were given; nullopt without a budget.
  [[nodiscard]] std::optional<Seconds> usual_slot() const;
  /// Number of attempts at a launch.
  [[nodiscard]] int tries(const std::string& setting, int launch) const;
};

nlohmann::json to_json(const Manifest& manifest);

/// Strict, as records are. The document has no secrets (core/provenance.hpp), so the result has
/// none.
Manifest read_manifest(const JsonNode& document);

/// File next to the manifest with a config's secrets, readable by its owner only. Launches start
/// from it.
inline constexpr const char* private_config_name = "config-private.json";

/// Includes the secrets of the config; InputError if the private file with them is missing.
Manifest load_manifest(const std::string& file);
void save_manifest(const Manifest& manifest, const std::string& file);

/// The path of the first key in which two configs differ, such as "settings[1].environment.A";
/// nullopt if they are equal. Description, required library, launch timeout and length of a budget
/// may differ: they do not affect the measurements. See with_stopping_of.
std::optional<std::string> differing_key(const Config& before, const Config& now);

}  // namespace hockney::campaign
