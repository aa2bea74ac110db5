#pragma once

#include "cli/action.hpp"

namespace hockney {

/// Adds `hockney health` to the driver and sets `chosen` when the user names it.
void add_health(CLI::App& driver, Action& chosen);

}  // namespace hockney
