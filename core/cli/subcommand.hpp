#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "core/cli/cli11.hpp"
#include "core/cli/command_line.hpp"

namespace hockney {

/// Adds a command to `app`. `add` gives it its options, which live as long as the command; when the
/// user names it, `chosen` becomes `run` of them.
template <class Options>
void add_command(CLI::App& app, Action& chosen, const std::string& name, const std::string& summary,
                 void (*add)(CLI::App&, Options&), ExitCode (*run)(const Options&)) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(name, summary);
  add(*command, *options);
  command->callback([options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
}

/// Where the document of a command goes.
struct DocumentOptions {
  std::string output;  ///< the file of -o; empty: none
  bool json = false;   ///< to stdout, in place of the table
};

/// Writes the document to its file, if there is one; prints it, or else what `print` makes.
void show_document(const nlohmann::json& document, const DocumentOptions& options,
                   const std::function<void(std::ostream&)>& print);

}  // namespace hockney
