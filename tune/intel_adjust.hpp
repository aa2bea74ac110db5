#pragma once

#include <limits>
#include <map>
#include <string>

#include "tune/rules.hpp"

namespace hockney::tune {

/// The ranges of I_MPI_ADJUST_* are closed; this is the end of those that have none.
inline constexpr int intel_no_end = std::numeric_limits<int>::max();

/// I_MPI_ADJUST_<operation> with presets for ranges of sizes and ranks, "8:0-4095@2-16;..."; what
/// no condition meets Intel MPI decides by itself. Every choice has a number.
std::map<std::string, std::string> intel_adjust(const Rules& keyed);

/// The rules of such variables; others are passed over. InputError for what Intel MPI would print
/// a complaint about and ignore, and for conditions that meet.
Rules read_intel_adjust(const std::map<std::string, std::string>& environment);

}  // namespace hockney::tune
