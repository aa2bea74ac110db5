// `hockney where` on this machine: what it says of a launch before is what the program finds.

#include <sched.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::where {
namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words environment{"/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1",
                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};

CommandResult where_command(const Words& arguments) {
  return run_command(environment + Words{HOCKNEY_BINARY_DIR "/bin/hockney", "where"} + arguments);
}

/// How it ended, and its document.
struct Answer {
  int exit_code = -1;
  Json document;

  [[nodiscard]] Words kinds() const { return kinds_in(document); }
  [[nodiscard]] Words kinds_proven() const { return kinds_in(document.at("proof")); }

  static Words kinds_in(const Json& probed) {
    Words kinds;
    for (const Json& fault : probed.at("faults")) kinds.push_back(fault.at("kind"));
    return kinds;
  }
};

Answer ask(const Words& command, const Words& options = {}) {
  const TemporaryFolder scratch;
  const CommandResult result =
      where_command(options + Words{"--json", "--scratch", scratch.path(), "--"} + command);
  INFO(result.out << result.err);
  REQUIRE(result.exit_code <= 1);
  CHECK(std::filesystem::is_empty(scratch.path()));
  return {result.exit_code, Json::parse(result.out)};
}

/// "thread RANK NUMBER CPUS" of every thread, sorted, as the program says, and as the document
/// does.
Words said_by_program(const Words& command) {
  const CommandResult result = run_command(environment + command);
  REQUIRE(result.exit_code == 0);
  Words lines;
  for (const std::string& line : split(result.out, '\n')) {
    if (line.starts_with("thread ")) lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

Words said_by_probe(const Json& probed) {
  Words lines;
  for (const Json& rank : probed.at("ranks")) {
    int number = 0;
    for (const Json& thread : rank.at("threads")) {
      const std::string cpus = thread.at("allowed_cpus");
      // Two CPUs at most: "0-1" is "0,1".
      lines.push_back("thread " + std::to_string(rank.at("rank").get<int>()) + " " +
                      std::to_string(number++) + " " + (cpus == "0-1" ? "0,1" : cpus));
    }
  }
  std::ranges::sort(lines);
  return lines;
}

/// Tests speak of cores 0 and 1, each with one CPU.
bool is_machine_of_two_cores() {
  const CommandResult topology = run_command({HOCKNEY_BINARY_DIR "/bin/hockney", "topo", "--json"});
  const Json counts = Json::parse(topology.out).at("counts");
  if (counts.at("cores") == 2 && counts.at("pus") == 2) return true;
  WARN("skipped: this machine has not two cores of one CPU each");
  return false;
}

Words open_mpi(int ranks, int threads, const Words& options) {
  return Words{HOCKNEY_MPIEXEC, "-np", std::to_string(ranks)} + options +
         Words{"env", "OMP_NUM_THREADS=" + std::to_string(threads), HOCKNEY_HYBRID};
}

const Words shared_and_idle{"shared-cpu", "idle-cores"};

}  // namespace

TEST_CASE("all threads of a rank on one core are told apart before the program has run") {
  if (!is_machine_of_two_cores()) return;
  const Answer stacked = ask(open_mpi(1, 2, {"--bind-to", "core"}), {"--prove"});
  CHECK(stacked.exit_code == 1);
  CHECK(stacked.kinds() == shared_and_idle);
  CHECK(stacked.kinds_proven().empty());
  CHECK(stacked.document.at("left_out") == Words{"--bind-to", "core"});
  CHECK(said_by_probe(stacked.document.at("proof")) == Words{"thread 0 0 0", "thread 0 1 1"});
  for (const Words& good : {Words{"--map-by", "slot:pe=2"}, Words{"--bind-to", "none"}}) {
    const Answer well = ask(open_mpi(1, 2, good));
    CHECK(well.exit_code == 0);
    CHECK(well.kinds().empty());
  }
}

TEST_CASE("where the probe runs the program runs") {
  if (!is_machine_of_two_cores()) return;
  for (const Words& command :
       {open_mpi(2, 1, {"--bind-to", "core"}), open_mpi(1, 2, {"--bind-to", "core"}),
        open_mpi(2, 2, {"--bind-to", "none", "--oversubscribe"}),
        open_mpi(1, 2, {"--map-by", "slot:pe=2", "-x", "OMP_PLACES=cores"})}) {
    INFO(join(command, " "));
    CHECK(said_by_probe(ask(command).document) == said_by_program(command));
  }
}

TEST_CASE("ranks without a binding, and more threads than CPUs, are faults") {
  if (!is_machine_of_two_cores()) return;
  const Answer unbound = ask(open_mpi(2, 1, {"--bind-to", "none"}), {"--prove"});
  CHECK(unbound.kinds() == Words{"unbound"});
  CHECK(unbound.kinds_proven().empty());
  const Answer crowded = ask(open_mpi(1, 3, {"--bind-to", "none"}), {"--prove"});
  CHECK(crowded.kinds() == Words{"shared-cpu"});
  CHECK(crowded.kinds_proven().empty());
  CHECK(crowded.document.at("proof").at("ranks").at(0).at("threads").size() == 2);
}

#ifdef HOCKNEY_HYBRID_MPICH
TEST_CASE("one probe does for MPICH, too, in the words of its launcher") {
  if (!is_machine_of_two_cores()) return;
  const Words start{HOCKNEY_MPIEXEC_MPICH, "-np", "1", "-bind-to"};
  const Words program{"env", "OMP_NUM_THREADS=2", HOCKNEY_HYBRID_MPICH};
  const Words stacked = start + Words{"core"} + program;
  const Answer answer = ask(stacked, {"--prove"});
  CHECK(answer.exit_code == 1);
  CHECK(answer.document.at("launcher") == "mpich");
  CHECK(answer.kinds() == shared_and_idle);
  CHECK(answer.kinds_proven().empty());
  CHECK(answer.document.at("faults")
            .at(0)
            .at("mended_by")
            .get<std::string>()
            .starts_with("-bind-to core:2"));
  CHECK(said_by_probe(answer.document) == said_by_program(stacked));
  CHECK(ask(start + Words{"core:2"} + program).kinds().empty());
}

TEST_CASE("a launcher of another MPI is refused") {
  const CommandResult result =
      where_command({"--", HOCKNEY_MPIEXEC, "-np", "1", HOCKNEY_HYBRID_MPICH});
  CHECK(result.exit_code == static_cast<int>(ExitCode::bad_input));
  CHECK_THAT(result.err, Catch::Contains("belongs to Open MPI"));
}
#endif

TEST_CASE("a launch that fails is a failed run with the launcher's own words") {
  const CommandResult result = where_command({"--", HOCKNEY_MPIEXEC, "--nonsense", HOCKNEY_HYBRID});
  CHECK(result.exit_code == static_cast<int>(ExitCode::run_failed));
  CHECK_THAT(result.err, Catch::Contains("the launcher failed") && Catch::Contains("nonsense"));
  CHECK(std::ranges::count(result.err, '\n') == 1);
}

}  // namespace hockney::where
