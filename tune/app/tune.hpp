#pragma once

#include "core/cli/command_line.hpp"

namespace hockney::tune {

/// Adds `hockney tune` to the driver and sets `chosen` when the user names it.
void add_tune(CLI::App& driver, Action& chosen);

}  // namespace hockney::tune
