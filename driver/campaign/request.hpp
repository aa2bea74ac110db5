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

#include "core/point_choice.hpp"
#include "core/quantities.hpp"
#include "core/site_file.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/stopping.hpp"

namespace hockney::campaign {

/// The Slurm allocation of this process.
struct Allocation {
  std::string job;
  std::vector<std::string> nodes;     ///< empty if unknown
  std::optional<int> tasks_of_first;  ///< ranks on the first node, if known
  std::optional<Seconds> time_left;   ///< nullopt: no limit, or unknown

  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// The hosts that a launcher's options name, each once: --host and -hosts with a list; --hostfile,
/// -machinefile and -f with a file. Empty without such an option.
std::vector<std::string> hosts_of(const std::vector<std::string>& launcher_arguments);

/// Returns squeue's output for a job in this format; empty if it fails.
using JobQuery = std::function<std::string(const std::string& job, const std::string& format)>;

/// Reads environment variables, and the remaining time from `query`. nullopt outside of an
/// allocation.
std::optional<Allocation> current_allocation(const JobQuery& query);

/// The smallest number of ranks that spans two nodes, since launchers fill the first node before
/// the next. For one node it is 0.
int fewest_across_nodes(const Allocation& allocation);

/// Runs squeue for at most 10 s.
std::string query_job(const std::string& job, const std::string& format);

/// The time at which a campaign must have ended, before Slurm ends its job.
struct Deadline {
  std::string job;
  std::chrono::steady_clock::time_point at;
};

/// 10 s before the end of the allocation; nullopt without a time limit.
std::optional<Deadline> deadline_of(const Allocation& allocation);

/// Why no further launch starts: one as long as the longest so far would pass the deadline. nullopt
/// if it would end in time.
std::optional<std::string> why_too_late(const std::optional<Deadline>& deadline, Seconds longest);

/// One planned launch. `launch` counts from 1 within its setting and is also its block.
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

/// "default-007": the stem of this launch's file names.
std::string launch_name(const std::string& setting, int launch);

/// "1 launch", "6 launches".
std::string launches_text(int launches);

/// The launches of a campaign in order, and their state for this driver.
class Plan {
 public:
  Plan(const Config& config, std::uint64_t seed, int launches);

  /// Changes the number of launches of each setting; states are kept.
  void plan(int launches);

  [[nodiscard]] const std::vector<PlannedLaunch>& launches() const { return plan_; }
  [[nodiscard]] const std::string& setting(const PlannedLaunch& launch) const;
  [[nodiscard]] std::string name(const PlannedLaunch& launch) const;

  /// The launch has its record.
  void complete(const std::string& name) { states_[name] = State::complete; }
  /// The launch was tried; only the next driver repeats it.
  void tried(const std::string& name) { states_.try_emplace(name, State::tried); }
  /// The tried launches of the setting are open again.
  void reopen(const std::string& setting);
  /// Open launches of the setting are left to the next driver.
  void give_up(const std::string& setting) { given_up_.insert(setting); }

  /// The first launch that is neither complete nor tried.
  [[nodiscard]] std::optional<PlannedLaunch> next() const;
  /// Number of launches that are neither complete nor tried.
  [[nodiscard]] int left() const;
  [[nodiscard]] int total() const { return static_cast<int>(plan_.size()); }
  [[nodiscard]] bool is_complete(const PlannedLaunch& launch) const;
  [[nodiscard]] bool all_complete() const;
  /// Number of leading blocks without open launches.
  [[nodiscard]] int whole_blocks() const;

 private:
  enum class State { open, tried, complete };

  [[nodiscard]] State state(const PlannedLaunch& launch) const;

  std::vector<std::string> settings_;
  std::uint64_t seed_;
  std::vector<PlannedLaunch> plan_;
  std::map<std::string, State> states_;  ///< by name; a launch without an entry is open
  std::set<std::string> given_up_;       ///< settings
};

/// A campaign with all files and options resolved, ready to run.
struct Request {
  Config config;        ///< checked, options of the command line included
  std::string program;  ///< absolute path
  Launcher launcher;
  std::vector<SkippedCombination> skipped;  ///< by conditions of the sweep
  int ranks = 1;                            ///< of a launch, on all nodes
  std::optional<int> per_node;              ///< ranks of each node, if each measures itself
  std::string folder;                       ///< of the campaign
  std::optional<std::uint64_t> seed;  ///< nullopt: drawn at random; or of the resumed campaign
  bool resume = false;
  bool extends = false;             ///< resumed with other launches, precision or budget
  std::optional<SiteFile> network;  ///< of the hosts; passed to launches, and saved
  BudgetTerms terms;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();  ///< its start
  std::optional<Deadline> deadline = std::nullopt;  ///< of the Slurm job
  Seconds grace{5};          ///< between SIGTERM and SIGKILL when a launch is ended
  Seconds between_steps{5};  ///< between reports about a running launch
};

/// A job of another program with the same MPI library, launched like the campaign's but without a
/// setting.
Job settings_job(const Request& request, std::vector<std::string> program);

/// A verification run of a setting. `program` writes to `file` and skips the first `skip` points.
/// It gets the arguments and the environment of campaign and setting. `verbose_environment` makes
/// the library print its algorithms.
Job verification_job(const Request& request, const Setting& setting, const std::string& program,
                     const std::map<std::string, std::string>& verbose_environment,
                     const std::string& file, std::size_t skip);

/// One planned launch as an MPI job. The program gets the arguments of campaign and setting, its
/// record file, seed, launch number, its times, and the points that it leaves out.
Job launch_job(const Request& request, const PlannedLaunch& launch, const std::string& record_file,
               const std::optional<LaunchSlot>& slot,
               const std::vector<PointChoice>& left_out = {});

}  // namespace hockney::campaign
