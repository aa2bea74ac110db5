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

/// What a program or subcommand does once its options are known.
using Action = std::function<ExitCode()>;

/// The option, which names a file that the command writes: it is tried when the command line is
/// read, before any work. A RunError then.
CommandOption tried_first(CommandOption option);

/// An option whose text goes to `take`, which puts what it says into its place, or throws an
/// InputError. Given again, the last text counts; an empty one is refused by parse_command_line.
CommandOption add_parsed_option(CommandLine& app, const std::string& names,
                                std::function<void(const std::string&)> take,
                                const std::string& help, const std::string& type = "TEXT");

/// An option that is a whole number of at least `least`, in a number or an optional one.
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

/// "a,b", or "all" of the names there are, each once, as what `parse` makes of a name; it throws
/// for an unknown one.
template <class Parse>
auto parse_list(const std::string& text, const std::vector<std::string>& all, Parse parse) {
  std::vector<std::decay_t<std::invoke_result_t<Parse, const std::string&>>> values;
  for (const std::string& name : text == "all" ? all : split(text, ',')) {
    const auto value = parse(name);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

/// The type of an option with one of these values, "hop|pair", from which completion and help have
/// them, and of one with several of them joined by commas, or all: "all|hop|pair,...".
std::string type_of_choice(const std::vector<std::string>& all);
std::string type_of_list(const std::vector<std::string>& all);

/// An option of such a list.
template <class Value, class Parse>
CommandOption add_list_option(CommandLine& app, const std::string& name, std::vector<Value>& values,
                              const std::vector<std::string>& all, Parse parse,
                              const std::string& help) {
  const auto take = [&values, all, parse](const std::string& text) {
    values = parse_list(text, all, parse);
  };
  return add_parsed_option(app, name, take, help, type_of_list(all));
}

/// `check`, which throws for an unknown name, as a function for lists that returns the name.
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

/// Runs `action`; an Error becomes its one line on stderr and its exit code, any other exception
/// its words_for() and exit code 3.
ExitCode guarded(const Action& action);

/// The variable by which shells and the build ask a program about its command line: "complete" for
/// the words that may stand in the place of its last one, one a line; "man" for its manual page.
inline constexpr const char* question_variable = "HOCKNEY_ANSWER";

/// Whether the question is "complete": what takes time to find is found only then.
bool is_asked_to_complete();

/// The positional of an app whose other words are a command with options of its own: they begin at
/// the first that is no option of the app, as if "--" stood before it.
inline constexpr const char* command_words = "COMMAND";

/// The type of an option, of a list of words, whose values are all words behind "--", which follows
/// it: "--verify -- mpirun -n 2 ./app".
inline constexpr const char* command_type = "-- COMMAND";

/// The first of the remaining words of a command that leaves them alone: CLI11 leaves alone only
/// what follows a word, and would lose a "--" before one.
inline constexpr const char* untouched_words = "...";

/// Adds a command to `driver`. `add` gives it its options, which live as long as the command; when
/// the user names it, `chosen` becomes `run` of them. `help` is what its help says beside them.
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

/// Parses the command line into its places. nullopt when the program should go on; otherwise the
/// exit code: good after --version, and after --help or --help-all whatever else is wrong with the
/// line; bad_input after one line on stderr that names the nearest valid option or subcommand;
/// run_failed where a file that is to be written cannot be.
std::optional<ExitCode> parse_command_line(CommandLine& line, int argc, const char* const* argv);

/// Adds a subcommand with its options to the driver and sets `chosen` when the user names it.
using AddSubcommand = void (*)(CommandLine& driver, Action& chosen);

/// The driver with these subcommands, in the order of its help, and its version: parses the command
/// line and does what it asks for. Of several ranks that a launcher starts, the first answers
/// --help and bad command lines. Returns the exit code of the program.
int drive(int argc, char** argv, std::span<const AddSubcommand> subcommands, const char* version,
          const CommandHelp& help);

}  // namespace hockney
