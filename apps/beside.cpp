#include "apps/beside.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "campaign/executables.hpp"
#include "campaign/subprocess.hpp"
#include "core/cli/cli11.hpp"

namespace hockney::apps {
namespace {

/// Never returns. The program knows itself as the driver with some of its subcommands.
ExitCode become(const BesideProgram& command, const std::vector<std::string>& rest) {
  const std::string name = command.component.program;
  const std::string program = campaign::own_folder() + "/" + name;
  std::vector<std::string> words{"hockney", command.name};
  words.insert(words.end(), rest.begin(), rest.end());
  execv(program.c_str(), campaign::null_terminated(words).data());
  const std::string why = std::error_code(errno, std::generic_category()).message();
  throw RunError(
      {"'hockney " + std::string(command.name) + "' cannot be started", program + ": " + why,
       std::string("configure with ") + command.component.option + " and build " + name});
}

/// A subcommand that leaves all words after its name alone, --help and "--" too. They are the
/// remaining ones but the first (untouched_words).
CLI::App* add_any_words(CLI::App& driver, const BesideProgram& command) {
  CLI::App* app = driver.add_subcommand(command.name, command.summary);
  app->set_help_flag();
  return app->prefix_command();
}

}  // namespace

void add_beside(CLI::App& driver, Action& chosen, const BesideProgram& command) {
  CLI::App* app = add_any_words(driver, command);
  app->callback([app, &chosen, command] {
    std::vector<std::string> rest = app->remaining();
    rest.erase(rest.begin());
    chosen = [command, rest] { return become(command, rest); };
  });
}

}  // namespace hockney::apps
