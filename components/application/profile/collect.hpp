#pragma once

#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"

namespace hockney::profile {

/// The profile of one MPI_COMM_WORLD.
struct WorldProfile {
  std::string file;
  Profile profile;
};

struct Collected {
  std::vector<WorldProfile> worlds;   ///< in the order in which they began
  std::vector<std::string> problems;  ///< files in no profile, or not written, and why
};

/// Collects the profiles that a run left at `file` and beside it (file names:
/// components/application/profile/event_log.hpp). Merges parts of ranks that ended without
/// MPI_Finalize into a profile, and removes them. Files of other runs and unreadable parts stay;
/// `problems` names them.
Collected collect(const std::string& file, const std::string& run);

}  // namespace hockney::profile
