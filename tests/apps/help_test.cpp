// --help of every program exits 0 and shows the default of every option.

#include <sstream>

#include "tests/apps/bad_input.hpp"

using namespace hockney;

namespace {

/// The left columns of the entries of a help text: "-b,--sizes TEXT=0:4M".
std::vector<std::string> entries(const std::string& help) {
  std::vector<std::string> found;
  std::istringstream in(help);
  bool positionals = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() != ' ') positionals = line == "Positionals:";
    const bool entry = line.starts_with("  -") ||
                       (positionals && line.starts_with("  ") && !line.starts_with("   "));
    if (!entry) continue;
    const std::string text = line.substr(2);
    // An entry and its description are at least two spaces apart, or the latter is below.
    found.push_back(text.substr(0, text.find("  ")));
  }
  return found;
}

/// Flags are off; whatever takes a value must say what it is without one.
bool says_its_default(const std::string& text) {
  const std::string entry = text.substr(0, text.find(" Excludes:"));
  const bool takes_value = entry.find(' ') != std::string::npos;
  return !takes_value || entry.find('=') != std::string::npos || entry.ends_with("REQUIRED");
}

void check_help(const Arguments& program) {
  Arguments command = program;
  command.emplace_back("--help");
  const CommandResult result = run_command(command);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  const std::vector<std::string> found = entries(result.out);
  CHECK_FALSE(found.empty());
  for (const std::string& entry : found) {
    INFO(entry);
    CHECK(says_its_default(entry));
  }
}

/// The names below "Subcommands:" in a help text; what is further to the right describes them.
std::vector<std::string> subcommands(Arguments command) {
  command.emplace_back("--help");
  std::istringstream in(run_command(command).out);
  std::vector<std::string> names;
  bool listed = false;
  for (std::string line; std::getline(in, line);) {
    const bool is_name = listed && line.starts_with("  ") && !line.starts_with("   ");
    if (is_name) names.push_back(line.substr(2, line.find(' ', 2) - 2));
    listed = listed || line == "Subcommands:";
  }
  return names;
}

}  // namespace

TEST_CASE("help of the driver and of every subcommand shows all defaults") {
  const std::vector<std::string> names = subcommands({built("hockney")});
  CHECK(names.size() >= 4);
  CHECK(subcommands({built("hockney"), "health"}).size() >= 4);
  check_help({built("hockney")});
  for (const std::string& name : names) {
    check_help({built("hockney"), name});
    for (const std::string& below : subcommands({built("hockney"), name})) {
      check_help({built("hockney"), name, below});
    }
  }
}

#ifdef HOCKNEY_MPIEXEC
TEST_CASE("help of an MPI executable shows all defaults") {
  for (const char* name :
       {"hockney-pingpong", "hockney-collectives", "hockney-paths", "hockney-protocol",
        "hockney-self-test", "hockney-settings", "hockney-guidelines", "hockney-algorithms"}) {
    check_help({built(name)});
  }
}
#endif

TEST_CASE("an entry without a default is noticed") {
  CHECK(entries("Options:\n  --a TEXT   What\n  --b TEXT=3\n      more\n  -c,--cc  Flag\n") ==
        std::vector<std::string>{"--a TEXT", "--b TEXT=3", "-c,--cc"});
  CHECK(entries("Positionals:\n  path TEXT REQUIRED  Where\n\nOptions:\n") ==
        std::vector<std::string>{"path TEXT REQUIRED"});
  CHECK_FALSE(says_its_default("--a TEXT"));
  CHECK(says_its_default("--b TEXT=3"));
  CHECK(says_its_default("-c,--cc"));
}
