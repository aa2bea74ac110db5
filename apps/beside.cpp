#include "apps/subcommands.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "campaign/executables.hpp"
#include "campaign/subprocess.hpp"
#include "core/cli/cli11.hpp"

namespace hockney::apps {
namespace {

/// Never returns. The program knows itself as the driver with one subcommand.
ExitCode become(const std::string& name, const std::vector<std::string>& rest) {
  const std::string program = campaign::own_folder() + "/hockney-" + name;
  std::vector<std::string> words{"hockney", name};
  words.insert(words.end(), rest.begin(), rest.end());
  execv(program.c_str(), campaign::null_terminated(words).data());
  const std::string why = std::error_code(errno, std::generic_category()).message();
  throw RunError({"'hockney " + name + "' cannot be started", program + ": " + why,
                  "build it: cmake --build build/<preset> --target hockney-" + name});
}

/// A subcommand that leaves all words after its name alone, --help too.
CLI::App* add_any_words(CLI::App& driver, const std::string& name, const std::string& summary) {
  CLI::App* app = driver.add_subcommand(name, summary);
  app->set_help_flag();
  return app->prefix_command();
}

}  // namespace

void add_beside(CLI::App& driver, Action& chosen, const std::string& name,
                const std::string& summary) {
  CLI::App* app = add_any_words(driver, name, summary);
  app->callback([app, &chosen, name] {
    chosen = [name, rest = app->remaining()] { return become(name, rest); };
  });
}

void add_left_out(CLI::App& driver, Action& chosen, const std::string& name,
                  const std::string& summary, const std::string& why,
                  const std::string& suggestion) {
  const RunError error({"'hockney " + name + "' is not in this build", why, suggestion});
  add_any_words(driver, name, summary)->callback([&chosen, error] {
    chosen = [error]() -> ExitCode { throw error; };
  });
}

}  // namespace hockney::apps
