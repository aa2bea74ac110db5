#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hockney {

/// A command line that does what it says, as it is written, and what that is.
struct Example {
  std::string command;
  std::string purpose;
};

/// What the help of a command says beside its options.
struct CommandHelp {
  std::vector<Example> examples;
  /// Names of the options that --help shows, the others being left to --help-all; empty: all.
  std::vector<std::string> common{};
};

/// Gives a command, whose options are all there, its help: these examples at the end, descriptions
/// in 100 columns, options under their headings, and --help-all. std::logic_error for a common
/// option that it does not have. Its subcommands are described by themselves.
void describe(CLI::App& app, const CommandHelp& help);

/// The type of an option for people. Long lists of values are left to its description and to
/// completion.
std::string shown_type(const CLI::Option& option);

/// The options that `add` adds stand below this heading in the help.
void add_under(CLI::App& app, const std::string& heading, const std::function<void()>& add);

}  // namespace hockney
