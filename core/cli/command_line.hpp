#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/error.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hockney {

/// What a program or subcommand does once its options are known.
using Action = std::function<ExitCode()>;

/// --json: the document instead of the table.
CLI::Option* add_json_flag(CLI::App& app, bool& json);

/// -o, --output FILE: the document too; "" when it is not given.
void add_document_output(CLI::App& app, std::string& file);

/// What to say of an exception: the line of an Error, the system's troubles in words of their own,
/// and of all others that they are hockney's.
Message words_for(const std::exception& error);

/// Runs `action`; an Error becomes its one line on stderr and its exit code, any other exception
/// its words_for() and exit code 3.
ExitCode guarded(const Action& action);

/// Parses the command line into `app`. nullopt when the program should go on; otherwise the exit
/// code: good after --help or --version, bad_input after one line on stderr that names the nearest
/// valid option or subcommand.
std::optional<ExitCode> parse_command_line(CLI::App& app, int argc, const char* const* argv);

}  // namespace hockney
