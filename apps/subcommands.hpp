#pragma once

#include <string>

#include "core/cli/command_line.hpp"

namespace hockney::apps {

// Each adds its own subcommand with its options to the driver and sets `chosen` when the user
// names it. One file per subcommand: apps/<name>.cpp. `tune` and `health` are programs of their
// own.
void add_topo(CLI::App& driver, Action& chosen);
void add_run(CLI::App& driver, Action& chosen);
void add_fit(CLI::App& driver, Action& chosen);
void add_predict(CLI::App& driver, Action& chosen);
void add_report(CLI::App& driver, Action& chosen);
void add_export(CLI::App& driver, Action& chosen);
void add_import(CLI::App& driver, Action& chosen);
void add_compare(CLI::App& driver, Action& chosen);
void add_profile(CLI::App& driver, Action& chosen);
void add_map(CLI::App& driver, Action& chosen);
void add_where(CLI::App& driver, Action& chosen);
void add_advise(CLI::App& driver, Action& chosen);
void add_scale(CLI::App& driver, Action& chosen);
void add_self_test(CLI::App& driver, Action& chosen);
void add_guidelines(CLI::App& driver, Action& chosen);
void add_completion(CLI::App& driver, Action& chosen);

/// Subcommands may be programs of their own, so that measuring does not wait until they are built:
/// lists hockney-<name> among the driver's subcommands. When the user names it,
/// `chosen` becomes that program, which is looked for beside this one, with all that was written
/// after the name; RunError when it is not there.
void add_beside(CLI::App& driver, Action& chosen, const std::string& name,
                const std::string& summary);

/// Lists a program that this build is without among the driver's subcommands. When the user names
/// it, `chosen` throws the RunError that says why it is not there.
void add_left_out(CLI::App& driver, Action& chosen, const std::string& name,
                  const std::string& summary, const std::string& why,
                  const std::string& suggestion);

}  // namespace hockney::apps
