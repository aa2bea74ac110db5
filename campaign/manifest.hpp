#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/request.hpp"
#include "campaign/stopping.hpp"
#include "core/atomic_file.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::campaign {

/// Where a campaign keeps what. `name` is that of launch_name.
struct Folder {
  std::filesystem::path root;  ///< absolute, since launchers may change folder

  [[nodiscard]] std::string manifest() const { return (root / "manifest.json").string(); }
  /// Where the hosts are, as a site file, where that was known.
  [[nodiscard]] std::string network() const { return (root / "network.json").string(); }
  /// The same, guessed from the latencies, where nothing told it.
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
  /// What is left of an attempt that did not complete.
  [[nodiscard]] std::string leftover(const std::string& name, int attempt) const {
    return (root / "interrupted" / (name + "-" + std::to_string(attempt))).string();
  }
  /// Folder of verification runs. Campaigns of hockney 0.1 call it "witness".
  [[nodiscard]] std::filesystem::path verifications() const {
    const std::filesystem::path former = root / "witness";
    return std::filesystem::exists(former) ? former : root / "verification";
  }
  /// What a verification run of a setting wrote: `part` is ".json", "-1.jsonl", "-1.log".
  [[nodiscard]] std::string verification(const std::string& setting,
                                         const std::string& part) const {
    return (verifications() / (setting + part)).string();
  }
};

/// The absolute folder; nothing is made.
Folder campaign_folder(const std::string& folder);

/// Makes the folder and its parts; RunError when the file system refuses.
void make_folders(const Folder& folder);

/// Keeps a second driver out of a campaign's folder (flock(2), so it ends with the process however
/// that ends). The guardian of a launch inherits it: while the remains of a killed driver's launch
/// are being cleared away, the folder is still locked.
class FolderLock {
 public:
  /// Locks `file`, which is made when missing. Waits at most `patience` for the remains of a driver
  /// that is dead; InputError naming the holder when it is alive.
  explicit FolderLock(const std::string& file, Seconds patience = {20});

 private:
  FileDescriptor descriptor_;
};

inline constexpr std::string_view manifest_schema = "hockney.manifest/1";

/// `running` in a manifest at rest means that the driver died during the attempt.
enum class AttemptStatus { running, complete, failed, interrupted };

constexpr auto words_of(std::type_identity<AttemptStatus>) {
  return std::to_array<std::string_view>({"running", "complete", "failed", "interrupted"});
}

/// One try at one planned launch.
struct Attempt {
  std::string setting;
  int launch = 1;
  int number = 1;  ///< of the tries at this launch
  AttemptStatus status = AttemptStatus::running;
  std::string reason;  ///< why it did not complete; empty when all went well
  std::optional<int> exit_code;
  std::optional<int> signal;
  Command command;
  std::string started_utc;
  double duration_seconds = 0;              ///< wall time of the launcher
  std::optional<double> slot_seconds;       ///< measuring time it was given out of a budget
  std::optional<double> measuring_seconds;  ///< of a complete launch, as its record says
  std::optional<int> points_left_out;       ///< to keep to its slot; nullopt: none
  std::string log;
  std::vector<std::string> ignored_settings;  ///< asked for, and not taken by the library
  std::optional<std::string> remains;   ///< record of what it had measured when it ended early
  std::vector<std::string> last_lines;  ///< of its log, when it did not complete

  [[nodiscard]] std::string name() const { return launch_name(setting, launch); }
};

enum class Status { running, complete, incomplete, interrupted };

constexpr auto words_of(std::type_identity<Status>) {
  return std::to_array<std::string_view>({"running", "complete", "incomplete", "interrupted"});
}

/// What a campaign did and has still to do: document `hockney.manifest/1`, rewritten before and
/// after every launch.
struct Manifest {
  Status status = Status::running;
  Config config;            ///< as run, options of the command line included
  std::string config_file;  ///< empty for a config that is built in
  std::string program;      ///< the executable that was launched
  int ranks = 1;
  std::uint64_t seed = 0;
  int launches = 1;                    ///< planned so far, per setting
  std::string launches_because;        ///< why so many
  std::string ended_because;           ///< that it is not complete; empty: a signal, or a failure
  std::optional<Precision> precision;  ///< of the complete launches; nullopt before there are any
  std::string started_utc;
  double elapsed_seconds = 0;               ///< wall time of all drivers so far
  std::vector<SkippedCombination> skipped;  ///< of the sweep, and why
  std::optional<SiteOrigin> network;        ///< what told where hosts are; they are in network.json
  std::vector<Attempt> attempts;

  /// How long the longest of them took, 0 where there is none.
  [[nodiscard]] Seconds longest_attempt() const;
  /// What complete launches were given to measure for, their median; nullopt where they had no say
  /// of a budget.
  [[nodiscard]] std::optional<Seconds> usual_slot() const;
  /// How often a launch has been tried.
  [[nodiscard]] int tries(const std::string& setting, int launch) const;
};

nlohmann::json to_json(const Manifest& manifest);

/// Strict, as records are; without secrets (core/provenance.hpp), which the document does not keep.
Manifest read_manifest(const JsonNode& document);

/// The config of a campaign that has secrets lies whole beside its manifest, for its owner alone:
/// launches are started from it.
inline constexpr const char* private_config_name = "config-private.json";

/// With the secrets of the config; InputError where the private file with them is not there.
Manifest load_manifest(const std::string& file);
void save_manifest(const Manifest& manifest, const std::string& file);

/// The path of the first key in which two configs differ, such as "settings[1].environment.A";
/// nullopt when none does. The description, the library required, the launch timeout and the length
/// of a budget may differ: none changes what is measured. See with_stopping_of.
std::optional<std::string> differing_key(const Config& before, const Config& now);

}  // namespace hockney::campaign
