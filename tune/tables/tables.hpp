#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tune/tuning.hpp"
#include "tune/verification.hpp"

namespace hockney::tune {

/// A line for each point: what is chosen, its time as a multiple of the default's with interval and
/// p, and what it regrets.
void print_selection_table(std::ostream& out, const Tuning& tuning);

/// What users should know besides, one line each: too few launches, settings that are no
/// candidates, decisions that the target cannot say.
std::vector<std::string> selection_notes(const Tuning& tuning);

/// A line for each point: default and file with intervals, ratio, regret; then the means, and what
/// is known of the file having been in force.
void print_verification(std::ostream& out, const Verification& verification, const Effect& effect);

}  // namespace hockney::tune
