#pragma once

#include "core/cli/command_line.hpp"

namespace hockney::apps {

// Each adds its own subcommand with its options to the driver and sets `chosen` when the user
// names it.
void add_topo(CLI::App& driver, Action& chosen);
void add_run(CLI::App& driver, Action& chosen);
void add_fit(CLI::App& driver, Action& chosen);
void add_report(CLI::App& driver, Action& chosen);
void add_import(CLI::App& driver, Action& chosen);
void add_compare(CLI::App& driver, Action& chosen);
void add_self_test(CLI::App& driver, Action& chosen);
void add_guidelines(CLI::App& driver, Action& chosen);
void add_completion(CLI::App& driver, Action& chosen);

}  // namespace hockney::apps
