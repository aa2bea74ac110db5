#pragma once

#include <span>

#include "core/cli/command_line.hpp"

namespace hockney {

/// Adds a subcommand with its options to the driver and sets `chosen` when the user names it.
using AddSubcommand = void (*)(CLI::App& driver, Action& chosen);

/// The driver with these subcommands, in the order of its help, and its version: parses the command
/// line and does what it asks for. Returns the exit code of the program.
int drive(int argc, char** argv, std::span<const AddSubcommand> subcommands, const char* version);

}  // namespace hockney
