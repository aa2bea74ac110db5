#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/command_line.hpp"

namespace hockney::driver {

/// Variable with the path of the profile, for the preloaded library.
inline constexpr const char* profile_out_variable = "HOCKNEY_PROFILE_OUT";
inline constexpr const char* profile_log_variable = "HOCKNEY_PROFILE_LOG";
/// Samples of stacks a second.
inline constexpr const char* profile_sample_variable = "HOCKNEY_PROFILE_SAMPLE";

/// `hockney profile -- COMMAND`: the command and its options.
struct ProfileRun {
  std::vector<std::string> words;     ///< the command and its arguments
  std::optional<std::string> out;     ///< nullopt: hockney-profile-<UTC time>.json
  std::optional<std::string> family;  ///< "openmpi" or "mpich"; nullopt: as the program is linked
  std::optional<int> memory_mebibytes;
  std::optional<double> samples_per_second;  ///< of CPU time; nullopt: none
  bool logs_events = false;
  bool prints_environment = false;
};

void add_profile_run_options(CommandLine& app, ProfileRun& run);

/// Runs the command with the library preloaded in its ranks, merges parts of ranks that ended
/// early, and prints the summary. Returns the command's exit code. If that is 0, but a profile or a
/// log is lost, returns 3.
ExitCode run_profile(const ProfileRun& run);

}  // namespace hockney::driver
