#pragma once

#include "core/cli/command_line.hpp"

namespace hockney::driver {

// Each function adds its subcommand with its options to hockney-application. It sets `chosen` if
// the user names the subcommand.
void add_predict(CommandLine& driver, Action& chosen);
void add_export(CommandLine& driver, Action& chosen);
void add_profile(CommandLine& driver, Action& chosen);
void add_map(CommandLine& driver, Action& chosen);
void add_where(CommandLine& driver, Action& chosen);
void add_advise(CommandLine& driver, Action& chosen);
void add_scale(CommandLine& driver, Action& chosen);

}  // namespace hockney::driver
