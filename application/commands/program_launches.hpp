#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "campaign/signal_watch.hpp"
#include "core/units.hpp"
#include "application/profile/profile.hpp"

namespace hockney::apps {

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
