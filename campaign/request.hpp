#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/stopping.hpp"
#include "core/quantities.hpp"
#include "core/site_file.hpp"

namespace hockney::campaign {

/// What Slurm has given the job that this process is part of.
struct Allocation {
  std::string job;
  std::vector<std::string> nodes;     ///< none where they cannot be told
  std::optional<int> tasks_of_first;  ///< ranks that launchers put on the first node, if known
  std::optional<Seconds> time_left;   ///< nullopt: without limit, or not known

  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// What squeue prints for a job in this format; empty where it cannot be asked.
using JobQuery = std::function<std::string(const std::string& job, const std::string& format)>;

/// By the variables of the environment, and for the time that is left by `ask`; nullopt outside of
/// any allocation.
std::optional<Allocation> current_allocation(const JobQuery& ask);

/// The fewest ranks of which some are on another node than the first, which launchers fill before
/// the next; 0 where there is no other.
int fewest_across_nodes(const Allocation& allocation);

/// Asks squeue, which has ten seconds.
std::string query_job(const std::string& job, const std::string& format);

/// A time as Slurm writes it: "59:03", "1:00:00", "2-03:04:05"; nullopt for all else, such as
/// "UNLIMITED".
std::optional<Seconds> parse_slurm_time(std::string_view text);

/// When a campaign must have ended by itself, before its job is ended.
struct Deadline {
  std::string job;
  std::chrono::steady_clock::time_point at;
};

/// A little before the end of the allocation; nullopt where that has no end.
std::optional<Deadline> deadline_of(const Allocation& allocation);

/// Why no further launch is begun, the longest so far having taken so long: it would not end in
/// time. nullopt where it would.
std::optional<std::string> why_too_late(const std::optional<Deadline>& deadline, Seconds longest);

/// One launch to be made. `launch` counts from 1 within its setting and is also the block it is in.
struct PlannedLaunch {
  std::size_t setting = 0;  ///< index into the config's settings
  int launch = 1;
  std::uint64_t seed = 0;  ///< for the program's own random order

  friend bool operator==(const PlannedLaunch&, const PlannedLaunch&) = default;
};

/// Randomised complete blocks: each block holds every setting once, in random order, so that slow
/// drift of the machine falls on all settings alike. Pure: the same seed gives the same plan on
/// every machine, and a plan of more blocks begins with the plan of fewer.
std::vector<PlannedLaunch> plan_launches(std::size_t settings, int launches, std::uint64_t seed);

/// "default-007": the stem of everything this launch leaves behind.
std::string launch_name(const std::string& setting, int launch);

/// "1 launch", "6 launches".
std::string launches_text(int launches);

/// The launches of a campaign in their order, and what this driver has done about each.
class Plan {
 public:
  Plan(const Config& config, std::uint64_t seed, int launches);

  /// Another number of launches for each setting; what is done stays done.
  void plan(int launches);

  [[nodiscard]] const std::vector<PlannedLaunch>& launches() const { return plan_; }
  [[nodiscard]] const std::string& setting(const PlannedLaunch& launch) const;
  [[nodiscard]] std::string name(const PlannedLaunch& launch) const;

  /// The launch has its record.
  void complete(const std::string& name) { states_[name] = State::complete; }
  /// The launch was tried; another try is for the next driver.
  void tried(const std::string& name) { states_.try_emplace(name, State::tried); }
  /// What is open of the setting is left to the next driver, too.
  void give_up(const std::string& setting) { given_up_.insert(setting); }

  /// The first launch that is neither complete nor tried.
  [[nodiscard]] std::optional<PlannedLaunch> next() const;
  /// How many such launches there are.
  [[nodiscard]] int left() const;
  [[nodiscard]] int total() const { return static_cast<int>(plan_.size()); }
  [[nodiscard]] bool is_complete(const PlannedLaunch& launch) const;
  [[nodiscard]] bool all_complete() const;
  /// The number of the last launch that all settings are through with; 0 before the first.
  [[nodiscard]] int whole_blocks() const;

 private:
  enum class State { open, tried, complete };

  [[nodiscard]] State state(const PlannedLaunch& launch) const;

  std::vector<std::string> settings_;
  std::uint64_t seed_;
  std::vector<PlannedLaunch> plan_;
  std::map<std::string, State> states_;  ///< by name; a launch without one is open
  std::set<std::string> given_up_;       ///< settings
};

/// A campaign with everything found and resolved, ready to run.
struct Request {
  Config config;            ///< checked, options of the command line included
  std::string config_file;  ///< relative paths in launcher arguments start from its folder; empty
                            ///< for a config that is built in
  std::string program;      ///< absolute path
  Launcher launcher;
  std::vector<SkippedCombination> skipped;  ///< by conditions of the sweep
  int ranks = 1;
  std::string folder;                 ///< where the campaign lands
  std::optional<std::uint64_t> seed;  ///< nullopt: drawn, or on resuming the campaign's own
  bool resume = false;
  bool extends = false;             ///< resumed with a say of its own about when to stop
  std::optional<SiteFile> network;  ///< where hosts are; launches are told, and it is kept
  BudgetTerms terms;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();  ///< of its time
  std::optional<Deadline> deadline = std::nullopt;  ///< of the job that this is part of
  Seconds grace{5};          ///< for a launch that is ended, between SIGTERM and SIGKILL
  Seconds between_steps{5};  ///< of a launch under way, which the observer is told of
};

/// The setting's variables and, below them, the campaign's.
std::map<std::string, std::string> launch_environment(const Config& config, const Setting& setting);

/// Another program of the same MPI library, launched as the campaign's own without any setting.
Job settings_job(const Request& request, std::vector<std::string> program);

/// A verification run of a setting, by `program`, which writes to `file` and skips the points that
/// are known: the arguments and the environment of the campaign and the setting, and
/// `verbose_environment`, which makes the library say which algorithm it runs.
Job verification_job(const Request& request, const Setting& setting, const std::string& program,
                     const std::map<std::string, std::string>& verbose_environment,
                     const std::string& file, std::size_t skip);

/// One planned launch as an MPI job: the program gets the campaign's arguments, the setting's, and
/// where to write its record, its seed, its place in the campaign and its slot of the budget.
Job launch_job(const Request& request, const PlannedLaunch& launch, const std::string& record_file,
               std::optional<Seconds> slot);

}  // namespace hockney::campaign
