#pragma once

// The simulator's compiler makes exit a macro of one argument; CLI11 has functions of that name.
#ifdef exit
#undef exit
#endif

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "core/cli/command_line.hpp"

namespace hockney {

/// Adds a command to `app`. `add` gives it its options, which live as long as the command; when the
/// user names it, `chosen` becomes `run` of them. `help` is what its help says beside them.
template <class Options>
void add_command(CLI::App& app, Action& chosen, const std::string& name, const std::string& summary,
                 void (*add)(CLI::App&, Options&), ExitCode (*run)(const Options&),
                 const CommandHelp& help) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(name, summary);
  add(*command, *options);
  describe(*command, help);
  command->callback([options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
}

}  // namespace hockney
