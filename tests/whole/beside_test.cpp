#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/driver/bad_input.hpp"
#include "tests/support/temporary_folder.hpp"

// Subcommands that are programs of their own.
namespace hockney::driver {
namespace {

/// Subcommands, each with the program that has it.
const std::map<std::string, std::string> beside{
    {"tune", "hockney-tune"},           {"health", "hockney-health"},
    {"predict", "hockney-application"}, {"profile", "hockney-application"},
    {"map", "hockney-application"},     {"where", "hockney-application"},
    {"scale", "hockney-application"},   {"advise", "hockney-application"},
    {"export", "hockney-application"}};

/// What a build needs to have each of them.
const std::map<std::string, std::string> options{
    {"hockney-tune", "-DHOCKNEY_TUNE=ON"},
    {"hockney-health", "-DHOCKNEY_HEALTH=ON and SQLite and SQLiteCpp, or -DHOCKNEY_FETCH=ON,"},
    {"hockney-application", "-DHOCKNEY_APPLICATION=ON"}};

}  // namespace

TEST_CASE("a program beside the driver gets every word that follows its name") {
  for (const auto& [name, program] : beside) {
    const CommandResult through = run_command({built("hockney"), name, "--help"});
    const CommandResult itself = run_command({built(program), name, "--help"});
    CHECK(through.exit_code == 0);
    CHECK(through.out == itself.out);
    CHECK(through.out.find("Usage: hockney " + name) != std::string::npos);
  }
  for (const char* program : {"hockney", "hockney-application"}) {
    const CommandResult command =
        run_command({built(program), "where", "--", "no-such-launcher", "-np", "2"});
    CHECK(command.exit_code != 0);
    CHECK(command.err.find("'no-such-launcher") != std::string::npos);
  }
  const CommandResult wrong = run_command({built("hockney"), "health", "list", "--dya", "x"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("unknown option '--dya'") != std::string::npos);
}

TEST_CASE("a program beside the driver that was not built is named, with what builds it") {
  const TemporaryFolder folder;
  const std::string alone = folder.path() + "/hockney";
  std::filesystem::copy_file(built("hockney"), alone);
  CHECK(run_command({alone, "--help"}).out.find("health") != std::string::npos);
  for (const auto& [name, program] : beside) {
    const CommandResult result = run_command({alone, name, "list"});
    CHECK(result.exit_code == 3);
    CHECK(result.out.empty());
    CHECK(result.err == "'hockney " + name + "' cannot be started (" + folder.path() + "/" +
                            program + ": No such file or directory) configure with " +
                            options.at(program) + " and build " + program + "\n");
  }
}

TEST_CASE("what a first build left out is named, with the command that builds it") {
  const TemporaryFolder folder;
  const std::filesystem::path bin = std::filesystem::path(folder.path()) / "bin";
  std::filesystem::create_directory(bin);
  std::ofstream(folder.path() + "/CMakeCache.txt") << "\n";
  const std::string alone = (bin / "hockney").string();
  std::filesystem::copy_file(built("hockney"), alone);
  const std::string build = "build it: cmake -DHOCKNEY_PROGRAMS=all " + folder.path() +
                            " && cmake --build " + folder.path() + "\n";
  const CommandResult component = run_command({alone, "health", "list"});
  CHECK(component.exit_code == 3);
  CHECK(component.err ==
        "'hockney health' cannot be started (hockney-health is not built yet) " + build);
  const std::string config = folder.path() + "/io.json";
  std::ofstream(config) << R"({"schema": "hockney.campaign/1", "name": "io",
    "program": "hockney-of-tomorrow", "launches": 1, "settings": [{"name": "default"}]})";
  const CommandResult program =
      run_command({alone, "run", config, "--out", folder.path() + "/out"});
  CHECK(program.exit_code == 2);
  CHECK(program.err == "program 'hockney-of-tomorrow' not found (it is neither in " + bin.string() +
                           " nor in PATH) " + build);
}

}  // namespace hockney::driver
