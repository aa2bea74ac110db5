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

// `hockney where` on this machine: what it says of a launch before is what the program finds.
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

CommandResult where_command(const Words& arguments, const Words& variables = {}) {
  return run_command(environment + variables + Words{HOCKNEY_BINARY_DIR "/bin/hockney", "where"} +
                     arguments);
}

/// How it ended, and its document.
struct Answer {
  int exit_code = -1;
  Json document;

  /// Whether the exit code says what the document does.
  [[nodiscard]] bool is_consistent() const {
    return (exit_code == 0) == document.at("faults").empty();
  }
  [[nodiscard]] std::string fix() const {
    const Json& text = document.at("faults").at(0).at("fix");
    return text.is_null() ? "" : text.get<std::string>();
  }
  [[nodiscard]] Words kinds() const { return kinds_in(document); }
  [[nodiscard]] Words kinds_proven() const { return kinds_in(document.at("proof")); }

  static Words kinds_in(const Json& probed) {
    Words kinds;
    for (const Json& fault : probed.at("faults")) {
      // Whoever else uses this machine while tests run is no matter of theirs.
      if (fault.at("kind") != "other-job") kinds.push_back(fault.at("kind"));
    }
    return kinds;
  }
};

Answer query(const Words& command, const Words& options = {}, const Words& variables = {}) {
  const TemporaryFolder scratch;
  const CommandResult result = where_command(
      options + Words{"--json", "--scratch", scratch.path(), "--"} + command, variables);
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
  const Answer stacked = query(open_mpi(1, 2, {"--bind-to", "core"}), {"--prove"});
  CHECK(stacked.exit_code == 1);
  CHECK(stacked.kinds() == shared_and_idle);
  CHECK(stacked.kinds_proven().empty());
  CHECK(stacked.document.at("left_out") == Words{"--bind-to", "core"});
  CHECK(said_by_probe(stacked.document.at("proof")) == Words{"thread 0 0 0", "thread 0 1 1"});
  for (const Words& good : {Words{"--map-by", "slot:pe=2"}, Words{"--bind-to", "none"}}) {
    const Answer well = query(open_mpi(1, 2, good));
    CHECK(well.is_consistent());
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
    CHECK(said_by_probe(query(command).document) == said_by_program(command));
  }
}

TEST_CASE("ranks without a binding, and more threads than CPUs, are faults") {
  if (!is_machine_of_two_cores()) return;
  const Answer unbound = query(open_mpi(2, 1, {"--bind-to", "none"}), {"--prove"});
  CHECK(unbound.kinds() == Words{"unbound"});
  CHECK(unbound.kinds_proven().empty());
  const Answer crowded = query(open_mpi(1, 3, {"--bind-to", "none"}), {"--prove"});
  CHECK(crowded.kinds() == Words{"shared-cpu"});
  CHECK(crowded.kinds_proven().empty());
  CHECK(crowded.document.at("proof").at("ranks").at(0).at("threads").size() == 2);
}

TEST_CASE("more ranks than CPUs have no fix, whatever keeps the job from the others") {
  if (!is_machine_of_two_cores()) return;
  const auto why = [](const std::string& ranks, const std::string& cores) {
    return ranks + " ranks need " + ranks + " cores, this node has " + cores +
           "; nothing but fewer ranks or more nodes fixes it";
  };
  const Words four = open_mpi(4, 1, {"--oversubscribe"});
  const Words two = open_mpi(2, 1, {});
  const Words listed{"OMPI_MCA_hwloc_base_cpu_list=0"};
  for (const Words& options : {Words{}, Words{"--prove"}}) {
    const Answer crowded = query(four, options);
    CHECK(crowded.exit_code == 1);
    CHECK(crowded.kinds() == Words{"shared-cpu"});
    CHECK(crowded.document.at("not_mendable") == why("4", "2"));
    CHECK(crowded.fix().empty());
    CHECK(query(two, options, listed).document.at("not_mendable") == why("2", "1"));
  }
  // taskset keeps hockney, and with it the job, to one CPU.
  const Words unbound = open_mpi(2, 1, {"--bind-to", "none"});
  const Answer kept = query(unbound, {"--prove"}, {"taskset", "-c", "0"});
  CHECK(kept.document.at("not_mendable") == why("2", "1"));
  const CommandResult screen = where_command(Words{"--prove", "--"} + four);
  CHECK_THAT(screen.out, Catch::StartsWith("fault: " + why("4", "2") + "\n"));
  CHECK(screen.exit_code == 1);
}

TEST_CASE("a wrapper that binds is named and left out, wherever it stands") {
  if (!is_machine_of_two_cores()) return;
  const TemporaryFolder folder;
  const std::string script =
      folder.write_program("bind.sh", "#!/bin/sh\nexec taskset -c 1 \"$@\"\n");
  const std::string forking = folder.write_program("fork.sh", "#!/bin/sh\ntaskset -c 1 \"$@\"\n");
  struct Case {
    Words wrapper;
    std::string text;
  };
  for (const Case& tried :
       {Case{{"taskset", "-c", "0"}, "`taskset -c 0` binds both ranks to CPU 0"},
        Case{{script}, "`" + script + "` binds both ranks to CPU 1"},
        Case{{"nice", forking}, "`" + forking + "` binds both ranks to CPU 1"}}) {
    CAPTURE(tried.text);
    const Words launch{HOCKNEY_MPIEXEC, "-np", "2", "--bind-to", "none"};
    const Answer bound =
        query(launch + tried.wrapper + Words{HOCKNEY_HYBRID}, {"--prove"}, {"OMP_NUM_THREADS=1"});
    CHECK(bound.exit_code == 1);
    CHECK(bound.kinds() == shared_and_idle);
    CHECK(bound.document.at("causes") == Words{tried.text});
    CHECK_THAT(bound.fix(), Catch::StartsWith("leaving out `" + tried.wrapper.back()) ||
                                Catch::StartsWith("leaving out `taskset -c 0`, --map-by"));
    CHECK(bound.kinds_proven().empty());
    const Words corrected = bound.document.at("fixed_command");
    CHECK(std::ranges::count(corrected, tried.wrapper.back()) == 0);
    CHECK(corrected.back() == HOCKNEY_HYBRID);
  }
  const Answer before =
      query(Words{"taskset", "-c", "1"} + open_mpi(2, 1, {"--bind-to", "none"}), {"--prove"});
  CHECK(before.document.at("causes") ==
        Words{"`taskset -c 1` binds the launcher and its ranks to CPU 1"});
  CHECK(before.kinds_proven().empty());
}

TEST_CASE("words before the launcher are run and stay in the command") {
  if (!is_machine_of_two_cores()) return;
  const TemporaryFolder folder;
  const std::string launch =
      HOCKNEY_MPIEXEC " -np 2 --bind-to none env OMP_NUM_THREADS=1 " HOCKNEY_HYBRID;
  Words words = split(launch, ' ');
  for (const Words& before : {Words{"time"}, Words{"env", "X=1"}, Words{"X=1"},
                              Words{"nice", "-n", "1"}, Words{"timeout", "60"}}) {
    CAPTURE(join(before, " "));
    const Answer answer = query(before + words);
    CHECK(answer.kinds() == Words{"unbound"});
    const Words corrected = answer.document.at("fixed_command");
    CHECK(Words(corrected.begin(), corrected.begin() + std::ssize(before)) == before);
    CHECK(corrected.at(before.size()) == HOCKNEY_MPIEXEC);
  }
  const std::string left = folder.path() + "/left";
  const Answer script =
      query({"bash", "-c", "export X=1; " + launch + " > " + left + "; touch " + left});
  CHECK(script.kinds() == Words{"unbound"});
  CHECK_FALSE(std::filesystem::exists(left));  // what follows the launch is not run
  const std::string corrected = script.document.at("fixed_command").at(2);
  CHECK_THAT(corrected, Catch::StartsWith("export X=1; " HOCKNEY_MPIEXEC " --map-by slot:PE=1"));
  CHECK_THAT(corrected, Catch::EndsWith(HOCKNEY_HYBRID " > " + left + "; touch " + left));
}

TEST_CASE("several programs of one launch are judged together") {
  if (!is_machine_of_two_cores()) return;
  const auto part = [](const std::string& threads) {
    return Words{"-n", "1", "-x", "OMP_NUM_THREADS=" + threads, HOCKNEY_HYBRID};
  };
  const Words command = Words{HOCKNEY_MPIEXEC} + part("2") + Words{":"} + part("1");
  const Answer answer = query(command, {"--prove"});
  CHECK(answer.kinds() == Words{"shared-cpu"});
  CHECK(said_by_probe(answer.document) == said_by_program(command));
  CHECK(answer.document.at("ranks").at(1).at("program") == 1);
  CHECK(answer.kinds_proven().empty());
  CHECK(said_by_probe(answer.document.at("proof")) == Words{"thread 0 0 0", "thread 1 0 1"});
  const Answer bound = query(Words{HOCKNEY_MPIEXEC} + part("1") +
                                 Words{":", "-n", "1", "taskset", "-c", "0", HOCKNEY_HYBRID},
                             {}, {"OMP_NUM_THREADS=1"});
  CHECK(bound.document.at("causes") == Words{"`taskset -c 0` binds rank 1 to CPU 0"});
  CHECK(bound.fix() == "leaving out `taskset -c 0`");
}

TEST_CASE("launchers that are scripts, scripts of ranks and programs without MPI are probed") {
  if (!is_machine_of_two_cores()) return;
  const TemporaryFolder folder;
  const std::string launch =
      folder.write_program("launch", "#!/bin/sh\nexec " HOCKNEY_MPIEXEC " --bind-to none \"$@\"\n");
  const std::string rank = folder.write_program(
      "rank.sh", "#!/bin/bash\nexport OMP_NUM_THREADS=2\nexec taskset -c 0 " HOCKNEY_HYBRID "\n");
  const std::string python = folder.write_program("x.py", "#!/no/python\n");
  const std::string unseen = folder.write_program("y.sh", "#!/bin/sh\n$X\n");
  const Answer wrapped = query({launch, "-n", "2", HOCKNEY_HYBRID}, {}, {"OMP_NUM_THREADS=1"});
  CHECK(wrapped.document.at("launcher") == "other");
  CHECK(wrapped.kinds() == Words{"unbound"});
  const Answer script = query({HOCKNEY_MPIEXEC, "-n", "1", "bash", rank});
  CHECK(script.kinds() == shared_and_idle);
  CHECK(script.document.at("ranks").at(0).at("threads").size() == 2);
  const Answer plain = query({HOCKNEY_MPIEXEC, "--do-not-resolve", "-n", "2", python, "/bin/true"});
  CHECK(plain.document.at("program") == python);
  CHECK(plain.kinds().empty());
  const CommandResult screen = where_command({"--", HOCKNEY_MPIEXEC, "-n", "1", unseen});
  CHECK_THAT(screen.out, Catch::Contains("no fault up to '" + unseen + "', a script"));
}

TEST_CASE("threads that are no OpenMP's are seen while the program runs") {
  if (!is_machine_of_two_cores()) return;
  // The threads work until they are ended; the program never does by itself.
  const Words launch{HOCKNEY_MPIEXEC, "-np", "1", "--bind-to", "core", HOCKNEY_THREADS, "2"};
  const Answer answer = query(launch, {"--run", "3s", "--prove"});
  CHECK(answer.kinds() == shared_and_idle);
  CHECK(answer.document.at("ranks").at(0).at("threads").size() == 2);
  CHECK(answer.fix() == "--map-by slot:PE=2 --bind-to core");
  CHECK(answer.kinds_proven().empty());
  const Json notes = query(launch).document.at("notes");
  CHECK(std::ranges::any_of(notes, [](const Json& note) {
    return note.get<std::string>().find("--run 10s") != std::string::npos;
  }));
}

TEST_CASE("another job on the same core is named") {
  if (!is_machine_of_two_cores()) return;
  const TemporaryFolder folder;
  // A loop that ends with the file, and after a minute at most.
  const std::string file = folder.write("go", "");
  const Words launch = open_mpi(1, 1, {"--bind-to", "core"});
  const Words hockney{
      HOCKNEY_BINARY_DIR "/bin/hockney", "where", "--json", "--scratch", folder.path(), "--"};
  std::string line;
  for (const std::string& word : hockney + launch) line += " '" + word + "'";
  const std::string script = "timeout 60 taskset -c 0 sh -c 'while test -e \"" + file +
                             "\"; do :; done' & pid=$!;" + line + "; code=$?; rm '" + file +
                             "'; wait $pid; exit $code";
  const CommandResult result = run_command(environment + Words{"sh", "-c", script});
  INFO(result.out << result.err);
  CHECK(result.exit_code == 1);
  const Json document = Json::parse(result.out);
  const auto other = std::ranges::find_if(
      document.at("faults"), [](const Json& fault) { return fault.at("kind") == "other-job"; });
  REQUIRE(other != document.at("faults").end());
  CHECK(std::ranges::any_of(other->at("others"), [](const Json& process) {
    return process.at("command") == "sh" && process.at("allowed_cpus") == "0" &&
           process.at("pid") > 1 && !process.at("user").get<std::string>().empty();
  }));
}

#ifdef HOCKNEY_HYBRID_MPICH
TEST_CASE("one probe does for MPICH, too, in the words of its launcher") {
  if (!is_machine_of_two_cores()) return;
  const Words start{HOCKNEY_MPIEXEC_MPICH, "-np", "1", "-bind-to"};
  const Words program{"env", "OMP_NUM_THREADS=2", HOCKNEY_HYBRID_MPICH};
  const Words stacked = start + Words{"core"} + program;
  const Answer answer = query(stacked, {"--prove"});
  CHECK(answer.exit_code == 1);
  CHECK(answer.document.at("launcher") == "mpich");
  CHECK(answer.kinds() == shared_and_idle);
  CHECK(answer.kinds_proven().empty());
  CHECK(answer.document.at("faults").at(0).at("fix").get<std::string>().starts_with(
      "-bind-to core:2"));
  CHECK(said_by_probe(answer.document) == said_by_program(stacked));
  CHECK(query(start + Words{"core:2"} + program).kinds().empty());
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
