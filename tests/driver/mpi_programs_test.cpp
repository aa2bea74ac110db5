

// hockney-mpi: which of its programs runs, and what it says where none does.

#ifdef HOCKNEY_MPIEXEC

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/record_file.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

namespace fs = std::filesystem;

std::string printed(const Arguments& command) {
  const CommandResult result = run_command(command);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  return result.out;
}

/// The names below "Programs:" in the help of hockney-mpi.
std::set<std::string> listed_programs() {
  std::istringstream in(printed({built("hockney-mpi"), "--help"}));
  std::set<std::string> names;
  bool is_listed = false;
  for (std::string line; std::getline(in, line);) {
    const bool is_name = is_listed && line.starts_with("  ") && !line.starts_with("   ");
    if (is_name) names.insert(line.substr(2, line.find(' ', 2) - 2));
    is_listed = line == "Programs:" || (is_listed && !line.empty());
  }
  return names;
}

/// The names of the operations that a program offers.
std::set<std::string> offered_operations(const std::string& program) {
  std::istringstream in(printed({built("hockney-mpi"), program, "--list"}));
  std::set<std::string> names;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && !line.starts_with(' ')) names.insert(line);
  }
  return names;
}

}  // namespace

TEST_CASE("every program of hockney-mpi has a link, and every link is one of its programs") {
  std::set<std::string> linked;
  for (const auto& entry : fs::directory_iterator(HOCKNEY_BINARY_DIR "/bin")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_symlink() || fs::read_symlink(entry.path()) != "hockney-mpi") continue;
    linked.insert(name.substr(name.find('-') + 1));
  }
  CHECK(linked.size() == 15);
  CHECK(listed_programs() == linked);
}

TEST_CASE("a program is chosen by the name it is called by, or by the first argument") {
  const TemporaryFolder folder;
  const std::string mpi = built("hockney-mpi");
  const std::string elsewhere = folder.path() + "/hockney-pingpong";
  const std::string renamed = folder.path() + "/measure";
  fs::create_symlink(mpi, elsewhere);
  fs::create_symlink(mpi, renamed);
  const std::string list = printed({built("hockney-pingpong"), "--list"});
  CHECK_THAT(list, Catch::Contains("\npingpong\n"));
  for (const Arguments& same : std::vector<Arguments>{
           {mpi, "pingpong", "--list"}, {elsewhere, "--list"}, {renamed, "pingpong", "--list"}}) {
    CHECK(printed(same) == list);
  }
  const auto usage = [](const Arguments& command) {
    const std::string help = printed(command);
    const std::size_t begin = help.find("Usage: ");
    return help.substr(begin, help.find('\n', begin) - begin);
  };
  CHECK(usage({elsewhere, "--help"}) == "Usage: hockney-pingpong [OPTIONS]");
  CHECK(usage({mpi, "pingpong", "--help"}) == "Usage: hockney-mpi pingpong [OPTIONS]");
  CHECK(usage({renamed, "pingpong", "--help"}) == "Usage: measure pingpong [OPTIONS]");
}

TEST_CASE("each listed operation names a program that offers it") {
  std::map<std::string, std::set<std::string>> offered;
  for (const char* requested : {"pingpong", "threads", "noise", "guidelines"}) {
    const auto document =
        nlohmann::json::parse(printed({built("hockney-mpi"), requested, "--list", "--json"}));
    const auto names = offered_operations(requested);
    CHECK(document.at("operations").size() > 5);
    for (const auto& operation : document.at("operations")) {
      CHECK(names.contains(operation.at("operation").get<std::string>()));
      const std::string program = operation.at("program").get<std::string>().substr(8);
      if (!offered.contains(program)) offered[program] = offered_operations(program);
      CHECK(offered[program].contains(operation.at("operation").get<std::string>()));
    }
  }
}

TEST_CASE("a record tells how its program was called") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const Arguments options{"--sizes", "8", "--epochs", "1", "-o", file};
  for (const Arguments& called :
       std::vector<Arguments>{{"hockney-mpi", "pingpong"}, {"hockney-pingpong"}}) {
    const Arguments more(called.begin() + 1, called.end());
    const CommandResult result =
        run_command(launched(2, called.front(), with(more, options)), std::chrono::seconds(100));
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const Record record = load_record(file);
    CHECK(record.procedure == "pingpong");
    CHECK(record.provenance.command_line == with(with({built(called.front())}, more), options));
  }
}

TEST_CASE("completion knows programs by their first letters, and then their options") {
  const std::string mpi = built("hockney-mpi");
  const auto offered = [&](const Arguments& words) {
    return printed(with({"/usr/bin/env", "HOCKNEY_ANSWER=complete", mpi}, words));
  };
  CHECK(offered({"p"}) == "pingpong\npaths\nprotocol\n");
  CHECK(offered({"pingpong"}) == "pingpong\n");
  CHECK(offered({"pingpong", "--siz"}) == "--sizes\n");
}

}  // namespace hockney::driver

#endif
