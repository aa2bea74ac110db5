#pragma once

#include <ostream>

#include "selection/verification.hpp"

namespace hockney {

/// A line for each point: default and file with intervals, ratio, regret; then the means, and what
/// is known of the file having been in force.
void print_verification(std::ostream& out, const Verification& verification, const Effect& effect);

}  // namespace hockney
