#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// What is known of the algorithms that a simulator was told to run by options of its launcher
/// (--cfg=smpi/bcast:NAME), for the points of a record: what was asked for, and no proof. SMPI runs
/// the algorithm of the name, but some fall back to others, and it does not tell.
std::vector<AlgorithmUse> simulated_uses(const Record& record,
                                         const std::vector<std::string>& launcher_arguments);

}  // namespace hockney
