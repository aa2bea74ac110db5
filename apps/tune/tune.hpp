#pragma once

#include "cli/action.hpp"

namespace hockney {

/// Adds `hockney tune` to the driver and sets `chosen` when the user names it.
void add_tune(CLI::App& driver, Action& chosen);

}  // namespace hockney
