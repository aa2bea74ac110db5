#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "core/cli/command_line.hpp"
#include "core/quantities.hpp"
#include "driver/campaign/subprocess.hpp"

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

/// The command with the path of its first word; InputError if there is no such program.
std::vector<std::string> with_path(std::vector<std::string> words);

/// "PREFIX-20260301T123456Z", with a number appended if that exists.
std::string unused_folder(const std::string& prefix);

/// Launches of a program for profiles without a log, one after the other. Profiles and output go to
/// a folder.
class ProgramLaunches {
 public:
  /// Creates the folder. InputError if it exists, or if the program's MPI library is not supported.
  /// `words`: a command from with_path().
  ProgramLaunches(const std::string& folder, const std::vector<std::string>& words);

  /// Absolute path of a file in the folder.
  [[nodiscard]] std::string file(const std::string& name) const;

  /// Writes NAME.json and NAME.log; ends the launch after `limit`. nullopt if a signal to this
  /// program ended it. RunError, with the last lines of its output, if it failed or left no
  /// profile.
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

}  // namespace hockney::driver
