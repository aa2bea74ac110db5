#pragma once

#include "core/cli/command_line.hpp"

namespace hockney::apps {

// Each adds its own subcommand with its options to hockney-application and sets `chosen` when the
// user names it.
void add_predict(CLI::App& driver, Action& chosen);
void add_export(CLI::App& driver, Action& chosen);
void add_profile(CLI::App& driver, Action& chosen);
void add_map(CLI::App& driver, Action& chosen);
void add_where(CLI::App& driver, Action& chosen);
void add_advise(CLI::App& driver, Action& chosen);
void add_scale(CLI::App& driver, Action& chosen);

}  // namespace hockney::apps
