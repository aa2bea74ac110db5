#pragma once

#include <string>
#include <vector>

#include "application/profile/profile.hpp"

namespace hockney::profile {

/// The profile of one MPI_COMM_WORLD.
struct WorldProfile {
  std::string file;
  Profile profile;
};

struct Collected {
  std::vector<WorldProfile> worlds;   ///< in the order in which they began
  std::vector<std::string> problems;  ///< files that are in no profile, or not written, and why
};

/// The profiles that a run left at `file` and beside it (application/profile/event_log.hpp). Parts
/// of ranks that ended without MPI_Finalize become a profile, and are removed. Files of other runs
/// and parts that cannot be read stay where they are, and are named among the problems.
Collected collect(const std::string& file, const std::string& run);

}  // namespace hockney::profile
