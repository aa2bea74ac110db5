#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "application/profile/profile.hpp"
#include "campaign/subprocess.hpp"
#include "core/cli/command_line.hpp"
#include "core/quantities.hpp"

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

void add_profile_run_options(CommandLine& app, ProfileRun& run);

/// Runs the command with the library before its ranks, makes their parts whole where they ended
/// early, and prints the first screen. The exit code is the command's; where that is 0, 3 when a
/// profile or a log is lost.
ExitCode run_profile(const ProfileRun& run);

/// The words of a command with the path of the first; InputError where there is no such program.
std::vector<std::string> with_path(std::vector<std::string> words);

/// "PREFIX-20260301T123456Z", with a number behind it where that is there already.
std::string unused_folder(const std::string& prefix);

/// Launches of a program for its profile, without a log, one after the other; profiles and what was
/// printed go to a folder.
class ProgramLaunches {
 public:
  /// Makes the folder. InputError where it is there, and for programs of an MPI that nothing
  /// records. `words`: a command, with_path().
  ProgramLaunches(const std::string& folder, const std::vector<std::string>& words);

  /// A file in the folder, absolute.
  [[nodiscard]] std::string file(const std::string& name) const;

  /// Into NAME.json and NAME.log, ended after `limit`. nullopt where a signal to this program ended
  /// it; RunError, with its last words, where it failed or left no profile.
  std::optional<profile::Profile> launch(const std::string& name,
                                         const std::vector<std::string>& words,
                                         const std::map<std::string, std::string>& variables,
                                         Seconds limit);

  campaign::SignalWatch& signals() { return signals_; }

 private:
  std::string folder_;
  std::string library_;
  campaign::SignalWatch signals_;
};

/// The numbers below `count` in random order.
std::vector<std::size_t> random_order(std::size_t count, std::mt19937_64& random);

}  // namespace hockney::apps
