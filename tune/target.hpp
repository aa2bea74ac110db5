#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hockney {

/// What selection rules are written for. Classic rules of Open MPI (4.1, 5.0) and its JSON (6.0),
/// strings for I_MPI_ADJUST_*, control variables of MPICH (one algorithm for an operation) and its
/// selection tree, and options of SimGrid's smpirun.
enum class Target { openmpi, openmpi6, intel, mpich, mpich_json, smpi };

std::string_view word(Target target);

/// InputError naming the nearest word for anything unknown.
Target parse_target(const std::string& text);

/// The target of the library that describes itself so; InputError for one that takes no rules.
Target target_of_library(const std::string& library);

/// Whether the settings of a campaign of that library name algorithms as the target does.
bool speaks_of(Target target, const std::string& library);

}  // namespace hockney
