#pragma once

#include "core/cli/command_line.hpp"

namespace hockney::tune {

inline constexpr const char* tune_summary =
    "The best algorithm for each size, as a file for the MPI library; and its proof";

/// Adds `hockney tune` to the driver and sets `chosen` when the user names it.
void add_tune(CLI::App& driver, Action& chosen);

}  // namespace hockney::tune
