#pragma once

#include <string>

#include "core/cli/command_line.hpp"

namespace hockney {

/// Subcommands may be programs of their own, so that measuring does not wait until they are built:
/// lists hockney-<name> among the driver's subcommands. When the user names it,
/// `chosen` becomes that program, which is looked for beside this one, with all that was written
/// after the name; RunError when it is not there.
void add_beside(CLI::App& driver, Action& chosen, const std::string& name,
                const std::string& summary);

}  // namespace hockney
