#pragma once

#include <span>
#include <string>

#include "application/where/whereabouts.hpp"

namespace hockney::where {

/// Variable in which the CPUs are handed on that a rank might use where it was started and behind
/// each wrapper: "0-1;0".
inline constexpr const char* started_variable = "HOCKNEY_WHERE_STARTED_ON";

/// This rank without its threads: its number and host, the variables of OpenMP and the CPUs that it
/// was started on. RunError where no launcher has started it.
RankPlace begin_part();

/// Leaves the part of this rank in a folder; the first rank of a node leaves that of the node, too,
/// which lets this process run anywhere.
void leave_parts(const RankPlace& place, const std::string& folder);

/// The exit code of a step of the probe; an error is one line on stderr.
int exit_code_of(int (&step)(std::span<char*>), std::span<char*> arguments);

}  // namespace hockney::where
