#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>

#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// What launchers do with one and the same file of hosts, as docs/how-to/place-ranks.md tabulates
// it. Nothing is started on those hosts: Open MPI only shows its map, Hydra forks on this machine.
namespace hockney::driver {
namespace {

using Hosts = std::vector<std::string>;

std::string host_file(const TemporaryFolder& folder) {
  return folder.write("hosts", "a\nb\nc\na\nb\nc\n");
}

bool is_installed(const std::string& program) {
  return run_command({"sh", "-c", "command -v " + program}).exit_code == 0;
}

/// Hosts of ranks 0, 1, ... where Open MPI's map names each host before its ranks.
[[maybe_unused]] Hosts hosts_in_map(const std::string& map) {
  const std::regex either("Data for node: (\\w+)|Process rank: (\\d+)");
  Hosts hosts;
  std::string host;
  for (std::sregex_iterator at(map.begin(), map.end(), either), end; at != end; ++at) {
    if ((*at)[1].matched) {
      host = (*at)[1];
    } else {
      CHECK(static_cast<std::size_t>(std::stoi((*at)[2])) == hosts.size());
      hosts.push_back(host);
    }
  }
  return hosts;
}

}  // namespace

#if defined(HOCKNEY_OPEN_MPI)
TEST_CASE("Open MPI fills the slots of a node, which are its lines") {
  if (run_command({HOCKNEY_MPIEXEC, "--version"}).out.find("4.1") == std::string::npos) return;
  const TemporaryFolder folder;
  const CommandResult shown =
      run_command({"env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                   HOCKNEY_MPIEXEC, "--novm", "--do-not-launch", "--display-map", "--hostfile",
                   host_file(folder), "-np", "4", "true"});
  INFO(shown.out << shown.err);
  CHECK(hosts_in_map(shown.out) == Hosts{"a", "a", "b", "b"});
}
#endif

TEST_CASE("Hydra takes the lines in their order") {
  if (!is_installed("mpiexec.hydra")) {
    WARN("skipped: mpiexec.hydra is not installed");
    return;
  }
  const TemporaryFolder folder;
  Hosts hosts;
  // Hydra was seen to end before it has passed on what its processes print.
  for (int attempt = 0; hosts.size() < 4 && attempt < 5; ++attempt) {
    const CommandResult ran =
        run_command({"mpiexec.hydra", "-launcher", "fork", "-f", host_file(folder), "-n", "4",
                     "-prepend-pattern", "%r %h ", "echo"});
    std::vector<std::string> lines = split(ran.out, '\n');
    std::ranges::sort(lines);
    hosts.clear();
    for (const std::string& line : lines) {
      if (const auto words = split(line, ' '); words.size() > 1) hosts.push_back(words[1]);
    }
  }
  CHECK(hosts == Hosts{"a", "b", "c", "a"});
}

}  // namespace hockney::driver
