#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/command_line.hpp"

namespace hockney::apps {

/// Tells the library that is preloaded where the profile goes.
inline constexpr const char* profile_out_variable = "HOCKNEY_PROFILE_OUT";
inline constexpr const char* profile_log_variable = "HOCKNEY_PROFILE_LOG";

/// `hockney profile -- COMMAND`: what is to run, and where its profile goes.
struct ProfileRun {
  std::vector<std::string> words;     ///< the command and its arguments
  std::optional<std::string> out;     ///< nullopt: hockney-profile-<UTC time>.json
  std::optional<std::string> family;  ///< "openmpi" or "mpich"; nullopt: as the program is linked
  std::optional<int> memory_mebibytes;
  bool logs_events = false;
  bool prints_environment = false;
};

void add_profile_run_options(CLI::App& app, ProfileRun& run);

/// Runs the command with the library before its ranks, makes their parts whole where they ended
/// early, and prints the first screen. The exit code is the command's; where that is 0, 3 when a
/// profile or a log is lost.
ExitCode run_profile(const ProfileRun& run);

}  // namespace hockney::apps
