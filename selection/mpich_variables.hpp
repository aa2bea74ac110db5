#pragma once

#include <map>
#include <string>
#include <vector>

#include "selection/deciding.hpp"
#include "selection/size_key.hpp"

namespace hockney {

struct MpichVariables {
  std::map<std::string, std::string> environment;
  std::vector<Unsaid> unsaid;
};

/// MPIR_CVAR_<operation>_INTRA_ALGORITHM, which hold for every size and number of ranks: of the
/// operations for which one choice was made at all points that were measured. The device's own
/// collectives, which would overrule them within a node, are turned off.
MpichVariables mpich_variables(const Decisions& decisions);

}  // namespace hockney
