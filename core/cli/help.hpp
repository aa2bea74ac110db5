#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/cli/options.hpp"

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
  /// Of a driver: what to type first, which it prints where nothing but its name is typed.
  std::vector<Example> first{};
};

/// Gives a command, whose options are all there, its help: these examples at the end, descriptions
/// in 100 columns, options under their headings, and --help-all. std::logic_error for a common
/// option that it does not have. Its subcommands are described by themselves.
void describe(CommandLine& line, const CommandHelp& help);

/// The type of an option for people. Long lists of values are left to its description and to
/// completion.
std::string shown_type(const CLI::Option& option);

/// Those that have names: CLI11's groups have none.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);

/// Whether a word may follow the option.
bool takes_value(const CLI::Option& option);

/// What a driver prints where nothing but its name is typed.
void print_first_steps(std::ostream& out, const CommandLine& driver, const CommandHelp& help);

/// The options that `add` adds stand below this heading in the help.
void add_under(CommandLine& line, const std::string& heading, const std::function<void()>& add);

/// The manual page (man(7)) of a program as its command line describes it: every option, with those
/// of its subcommands. A driver that has one subcommand is shown as that.
void write_man_page(std::ostream& out, const CommandLine& line);

/// What may stand in the place of the last of these words, which follow the program's name:
/// options, subcommands, and values whose option or argument has the type "one|other", or
/// "one|other,..." for several joined by commas. Nothing where it is a file or a number. nullopt
/// where the words are those of another program, to which a subcommand leads.
std::optional<std::vector<std::string>> completions(const CommandLine& line,
                                                    std::span<const std::string> words);

}  // namespace hockney
