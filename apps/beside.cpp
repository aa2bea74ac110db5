#include "apps/beside.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "campaign/executables.hpp"
#include "core/cli/cli11.hpp"

namespace hockney {
namespace {

/// The arguments as execv takes them.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

/// Never returns. The program knows itself as the driver with one subcommand.
ExitCode become(const std::string& name, const std::vector<std::string>& rest) {
  const std::string program = own_folder() + "/hockney-" + name;
  std::vector<std::string> words{"hockney", name};
  words.insert(words.end(), rest.begin(), rest.end());
  execv(program.c_str(), pointers(words).data());
  const std::string why = std::error_code(errno, std::generic_category()).message();
  throw RunError({"'hockney " + name + "' cannot be started", program + ": " + why,
                  "build it: cmake --build build/<preset> --target hockney-" + name});
}

}  // namespace

void add_beside(CLI::App& driver, Action& chosen, const std::string& name,
                const std::string& summary) {
  CLI::App* app = driver.add_subcommand(name, summary);
  app->set_help_flag();
  app->prefix_command();
  app->callback([app, &chosen, name] {
    chosen = [name, rest = app->remaining()] { return become(name, rest); };
  });
}

}  // namespace hockney
