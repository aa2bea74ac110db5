#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "selection/tuning.hpp"

namespace hockney {

/// A line for each point: what is chosen, its time as a multiple of the default's, how sure that
/// is, and what it regrets.
void print_selection_table(std::ostream& out, const Tuning& tuning);

/// What users should know besides, one line each: too few launches, settings that are no
/// candidates, decisions that the target cannot say.
std::vector<std::string> selection_notes(const Tuning& tuning);

}  // namespace hockney
