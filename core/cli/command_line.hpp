#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/cli/help.hpp"
#include "core/cli/options.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney {

/// The work of a program or subcommand once its options are parsed.
using Action = std::function<ExitCode()>;

/// The option, which names a file that the command writes: it is tried when the command line is
/// read, before any work. A RunError then.
CommandOption tried_first(CommandOption option);

/// An option whose text goes to `take`, which parses and stores it or throws an InputError. If the
/// option is repeated, the last text counts; parse_command_line refuses an empty one.
CommandOption add_parsed_option(CommandLine& app, const std::string& names,
                                std::function<void(const std::string&)> take,
                                const std::string& help, const std::string& type = "TEXT");

/// An option for a whole number of at least `least`; `place` is a number or an optional one.
template <class Number>
CommandOption add_count_option(CommandLine& app, const std::string& name, Number& place,
                               std::type_identity_t<Number> least, const std::string& help) {
  const auto take = [&place, name, least](const std::string& text) {
    place = parse_count<Number>(name, text, least);
  };
  return add_parsed_option(app, name, take, help);
}
template <class Number>
CommandOption add_count_option(CommandLine& app, const std::string& name,
                               std::optional<Number>& place, std::type_identity_t<Number> least,
                               const std::string& help) {
  const auto take = [&place, name, least](const std::string& text) {
    place = parse_count<Number>(name, text, least);
  };
  return add_parsed_option(app, name, take, help);
}

/// Parses "a,b", or "all" for every name, each once. `parse` converts a name and throws for an
/// unknown one.
template <class Parse>
auto parse_list(const std::string& text, const std::vector<std::string>& all, Parse parse) {
  std::vector<std::decay_t<std::invoke_result_t<Parse, const std::string&>>> values;
  for (const std::string& name : text == "all" ? all : split(text, ',')) {
    const auto value = parse(name);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

/// The type of an option, as completion and help use it. One of the values: "hop|pair". Several
/// joined by commas, or all of them: "all|hop|pair,...".
std::string type_of_choice(const std::vector<std::string>& all);
std::string type_of_list(const std::vector<std::string>& all);

/// An option for such a list.
template <class Value, class Parse>
CommandOption add_list_option(CommandLine& app, const std::string& name, std::vector<Value>& values,
                              const std::vector<std::string>& all, Parse parse,
                              const std::string& help) {
  const auto take = [&values, all, parse](const std::string& text) {
    values = parse_list(text, all, parse);
  };
  return add_parsed_option(app, name, take, help, type_of_list(all));
}

/// Turns `check`, which throws for an unknown name, into a function that returns the name.
template <class Check>
auto checked_by(Check check) {
  return [check](const std::string& name) {
    check(name);
    return name;
  };
}

/// What to say of an exception: the line of an Error, the system's troubles in words of their own,
/// and of all others that they are hockney's.
Message words_for(const std::exception& error);

/// Runs `action`. An Error prints its line on stderr and returns its exit code; any other exception
/// prints its words_for() and returns 3.
ExitCode guarded(const Action& action);

/// The variable with which shells and the build query a program's command line. "complete": the
/// words that may replace the last one, one a line. "man": the manual page.
inline constexpr const char* question_variable = "HOCKNEY_ANSWER";

/// Whether the query is "complete". Values that take time to find are found only then.
bool must_complete();

/// Positional argument of an app that runs a command with its own options. The command begins at
/// the first word that is not an option of the app, as if "--" preceded it.
inline constexpr const char* command_words = "COMMAND";

/// Positional argument of an app that takes further words, before "--" and behind it.
inline constexpr const char* further_words = "arguments";

/// Type of an option whose values are all words after a "--" that follows it: "--verify -- mpirun
/// -n 2 ./app".
inline constexpr const char* command_type = "-- COMMAND";

/// Placed before the remaining words of a command that must not be parsed. CLI11 leaves only the
/// words after a first one alone, and would lose a leading "--".
inline constexpr const char* untouched_words = "...";

/// Adds a command to `driver`. `add` adds its options, which live as long as the command. If the
/// user names the command, `chosen` becomes `run` with these options. `help` is the text beside
/// them.
template <class Options>
void add_command(CommandLine& driver, Action& chosen, const std::string& name,
                 const std::string& summary, void (*add)(CommandLine&, Options&),
                 ExitCode (*run)(const Options&), const CommandHelp& help) {
  const auto options = std::make_shared<Options>();
  CommandLine command = driver.add_subcommand(name, summary);
  add(command, *options);
  describe(command, help);
  command.callback([options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
}

/// Parses the command line into its places. Returns nullopt if the program should continue, else an
/// exit code:
/// - good after --version, and after --help or --help-all even if the line has errors;
/// - bad_input after one line on stderr that names the nearest valid option or subcommand;
/// - run_failed if an output file cannot be written.
std::optional<ExitCode> parse_command_line(CommandLine& line, int argc, const char* const* argv);

/// Adds a subcommand with its options to the driver and sets `chosen` when the user names it.
using AddSubcommand = void (*)(CommandLine& driver, Action& chosen);

/// Builds the driver with these subcommands, in the order of its help, and its version. Parses the
/// command line and runs the command. If a launcher started several ranks, only the first prints
/// --help and errors of the command line. Returns the exit code of the program.
int drive(int argc, char** argv, std::span<const AddSubcommand> subcommands, const char* version,
          const CommandHelp& help);

}  // namespace hockney
