#pragma once

#include <span>
#include <string>
#include <vector>

#include "application/advice/verification.hpp"

namespace hockney::apps {

/// Launches of a program as it was and with each advice.
struct TrialRequest {
  std::vector<std::string> words;  ///< the command, as it is run without hockney
  std::string folder;              ///< for profiles, logs and files of the launcher; a new one
  int blocks = 8;
};

struct TrialResult {
  std::vector<advice::TrialLaunch> launches;  ///< of whole blocks
  std::vector<advice::InForce> in_force;      ///< of each advice; why it was not launched
  int blocks = 0;  ///< whole ones; fewer than asked for where it was ended
};

/// Runs blocks of one launch of each, in random order, with what is recorded without a log; a line
/// to stderr for each block. InputError for a folder that is there, RunError for a launch that
/// fails, with its last words. A signal to end ends it after the launch under way is stopped.
TrialResult run_trial(const TrialRequest& request, const profile::Profile& run,
                      std::span<const advice::Advice> advice);

}  // namespace hockney::apps
