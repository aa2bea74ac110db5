#pragma once

#include <string>
#include <vector>

#include "components/application/analysis/functions.hpp"
#include "components/application/profile/profile.hpp"

namespace hockney::symbols {

/// Names of the frames of a profile's samples.
struct NamedFrames {
  applications::FrameNames names;   ///< one list for each frame
  std::vector<std::string> doubts;  ///< why frames have no names, escaped
};

/// Reads the symbols and debugging information of each sampled module with elfutils (libdw), also
/// separate information under /usr/lib/debug. A module that is gone, or has another build id than
/// the one that ran, names its frames "[module]". Built without elfutils it names all so. Empty if
/// the profile has no samples.
NamedFrames name_frames(const profile::Profile& profile);

/// "solve(int)" for "_Z5solvei", "grid::solve" for gfortran's "__grid_MOD_solve", "solve" for its
/// "solve_" and for GCC's "solve.constprop.0"; other names as they are.
std::string readable_name(const std::string& symbol);

}  // namespace hockney::symbols
