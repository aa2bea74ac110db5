#pragma once

#include <string>

#include "cli/action.hpp"

namespace hockney {

// Subcommands that are programs of their own, so that measuring does not wait until they are built.
inline constexpr const char* tune_summary =
    "The best algorithm for each size, as a file for the MPI library; and its proof";
inline constexpr const char* health_summary =
    "Night after night: what changed, when, by how much, where, and how sure it is";

/// Lists the program hockney-<name> among the driver's subcommands. When the user names it,
/// `chosen` becomes that program, which is looked for beside this one, with all that was written
/// after the name; RunError when it is not there.
void add_beside(CLI::App& driver, Action& chosen, const std::string& name,
                const std::string& summary);

}  // namespace hockney
