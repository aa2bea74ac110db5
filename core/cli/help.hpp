#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/cli/options.hpp"

namespace hockney {

/// An example command, run by a test, and one sentence about it.
struct Example {
  std::string command;
  std::string purpose;
};

/// The help text of a command beside its options.
struct CommandHelp {
  std::vector<Example> examples;
  /// Names of the options that --help shows; --help-all shows the others. Empty: all.
  std::vector<std::string> common{};
  /// For a driver: the first commands to try, printed if no arguments are given.
  std::vector<Example> first{};
};

/// Gives a command its help: examples at the end, descriptions in 100 columns, options under their
/// headings, and --help-all. All its options must exist by then. std::logic_error for a common
/// option that does not exist. Subcommands need a call each.
void describe(CommandLine& line, const CommandHelp& help);

/// The type of an option as people read it. Long lists of values appear only in the description and
/// in completions.
std::string shown_type(const CLI::Option& option);

/// The subcommands that have names. CLI11's groups have none.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);

/// Whether a word may follow the option.
bool takes_value(const CLI::Option& option);

/// Prints the text of a driver that is called without arguments.
void print_first_steps(std::ostream& out, const CommandLine& driver, const CommandHelp& help);

/// Puts the options that `add` adds below this heading in the help.
void add_under(CommandLine& line, const std::string& heading, const std::function<void()>& add);

/// The manual page (man(7)) of a subcommand, with every option. Without a name that of the program:
/// a driver with several subcommands lists them, one with a single subcommand has its page.
void write_man_page(std::ostream& out, const CommandLine& line, const std::string& command = "");

/// Completions of the last of these words, which follow the program's name: options, subcommands,
/// and values of a type "one|other", or "one|other,..." for a list joined by commas. Empty if the
/// word is a file or a number. nullopt if the words are the command line of another program.
std::optional<std::vector<std::string>> completions(const CommandLine& line,
                                                    std::span<const std::string> words);

}  // namespace hockney
