#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "core/quantities.hpp"
#include "driver/campaign/subprocess.hpp"

namespace hockney::driver {

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

}  // namespace hockney::driver
