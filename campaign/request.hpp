#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaign/allocation.hpp"
#include "campaign/budget.hpp"
#include "campaign/config.hpp"
#include "campaign/launch_command.hpp"
#include "campaign/launch_plan.hpp"
#include "core/site_file.hpp"
#include "core/units.hpp"

namespace hockney::campaign {

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
