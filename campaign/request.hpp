#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/config.hpp"
#include "campaign/launch_command.hpp"
#include "core/units.hpp"

namespace hockney {

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

/// A campaign with everything found and resolved, ready to run.
struct CampaignRequest {
  CampaignConfig config;    ///< checked, options of the command line included
  std::string config_file;  ///< relative paths in launcher arguments start from its folder; empty
                            ///< for a config that is built in
  std::string program;      ///< absolute path
  Launcher launcher;
  std::vector<SkippedCombination> skipped;  ///< by conditions of the sweep
  int ranks = 1;
  std::string folder;                 ///< where the campaign lands
  std::optional<std::uint64_t> seed;  ///< nullopt: drawn, or on resuming the campaign's own
  bool resume = false;
  BudgetTerms terms;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();  ///< of its time
  Seconds grace{5};  ///< for a launch that is ended, between SIGTERM and SIGKILL
};

/// Of wall time.
Seconds elapsed_since(std::chrono::steady_clock::time_point moment);

/// The setting's variables and, below them, the campaign's.
std::map<std::string, std::string> launch_environment(const CampaignConfig& config,
                                                      const Setting& setting);

/// Another program of the same MPI library, launched as the campaign's own without any setting.
Job settings_job(const CampaignRequest& request, std::vector<std::string> program);

/// The witness launch of a setting, by `program`, which writes to `file` and skips the points that
/// are known: the arguments and the environment of the campaign and the setting, and `talkative`,
/// which makes the library tell.
Job witness_job(const CampaignRequest& request, const Setting& setting, const std::string& program,
                const std::map<std::string, std::string>& talkative, const std::string& file,
                std::size_t skip);

/// One planned launch as an MPI job: the program gets the campaign's arguments, the setting's, and
/// where to write its record, its seed, its place in the campaign and its slot of the budget.
Job launch_job(const CampaignRequest& request, const PlannedLaunch& launch,
               const std::string& record_file, std::optional<Seconds> slot);

}  // namespace hockney
