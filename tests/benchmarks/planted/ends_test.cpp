#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>

#include "core/record_file.hpp"
#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// Launches that cannot go on end, soon, with a line that says why and exit code 3: one rank throws,
// MPI fails, clocks jump, control messages are wrong.
namespace hockney::benchmarks {
namespace {

using Lines = std::vector<std::string>;

/// mpirun with `variables` of the environment.
Lines command_on(int ranks, const Lines& variables, const Lines& program) {
  Lines command{"/usr/bin/env"};
  for (const std::string& word : split(HOCKNEY_MPI_ENVIRONMENT, '|')) command.push_back(word);
  command.insert(command.end(), variables.begin(), variables.end());
  command.insert(command.end(), {HOCKNEY_MPIEXEC, HOCKNEY_MPIEXEC_NUMPROC, std::to_string(ranks)});
  for (const std::string& word : split(HOCKNEY_LAUNCHER_FLAGS, '|')) {
    if (!word.empty()) command.push_back(word);
  }
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

bool has(const std::vector<std::string>& flags, const std::string& flag) {
  return std::ranges::find(flags, flag) != flags.end();
}

constexpr std::chrono::seconds patience(100);

}  // namespace

TEST_CASE("a rank that throws ends the launch at once, wherever it throws") {
  std::vector<Lines> commands;
  Lines messages;
  for (const int ranks : {2, 3}) {
    for (const char* operation :
         {"throws-when-made", "throws-in-refill", "throws-in-run", "throws-in-verify"}) {
      commands.push_back(command_on(ranks, {"HOCKNEY_THROWING_RANK=1"},
                                    {HOCKNEY_THROWING, "--operations", operation, "--sizes", "8",
                                     "--limit", "1h", "--start", "barrier"}));
    }
  }
  for (const CommandResult& result : run_together(commands, launches_at_a_time, patience)) {
    INFO(result.out << result.err);
    CHECK_FALSE(result.timed_out);
    CHECK(result.exit_code == 3);
    CHECK(result.err.find("rank 1: ") != std::string::npos);
    CHECK(result.err.find("planted") != std::string::npos);
  }
}

TEST_CASE("input that one rank alone refuses ends the launch, too") {
  const CommandResult result =
      run_command(command_on(2, {"HOCKNEY_THROWING_RANK=1"},
                             {HOCKNEY_THROWING, "--seed", "2", "--limit", "1h"}),
                  patience);
  INFO(result.out << result.err);
  CHECK_FALSE(result.timed_out);
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("rank 1: planted input (of one rank)") != std::string::npos);
}

TEST_CASE("an MPI call that fails while it is timed ends the launch, and is named") {
  const CommandResult result =
      run_command(command_on(2, {"LD_PRELOAD=" HOCKNEY_FAULTS, "HOCKNEY_FAILING_SEND=1,500"},
                             {HOCKNEY_PINGPONG, "--operations", "pingpong", "--sizes", "0",
                              "--budget", "60s", "--limit", "1h"}),
                  patience);
  INFO(result.out << result.err);
  CHECK_FALSE(result.timed_out);
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("rank 1: ") != std::string::npos);
  CHECK(result.err.find(" failed at pingpong ") != std::string::npos);
  CHECK(result.err.find(" at 0 bytes (") != std::string::npos);
}

TEST_CASE("a clock that jumps costs the block it is met in, and is synchronised anew") {
  for (const char* jump : {"1,-3600,5", "0,-3600,5", "0,3600,5", "1,-1,5"}) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/record.json";
    const CommandResult result = run_command(
        command_on(2, {"LD_PRELOAD=" HOCKNEY_FAULTS, std::string("HOCKNEY_CLOCK_JUMP=") + jump},
                   {HOCKNEY_COLLECTIVES, "--operations", "bcast,allreduce", "--sizes", "8,16K",
                    "--budget", "2s", "--start", "round-time", "-o", file}),
        patience);
    INFO(jump << result.out << result.err);
    REQUIRE_FALSE(result.timed_out);
    REQUIRE(result.exit_code == 0);
    const Record record = load_record(file);
    CHECK(has(record.flags, "clock-jumped"));
    CHECK_FALSE(has(record.flags, "clock-drifted"));
    CHECK(record.stopped_because == "budget spent");
    CHECK(record.series.size() == 4);
    CHECK(std::ranges::any_of(
        record.series, [](const Series& series) { return has(series.flags, "clock-jumped"); }));
    for (const Series& series : record.series) {
      for (const double seconds : series.samples_seconds) CHECK((seconds > 0 && seconds < 60));
    }
  }
}

TEST_CASE("a launch beyond its limit ends, and what was measured is kept") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const CommandResult result =
      run_command(command_on(2, {},
                             {HOCKNEY_COLLECTIVES, "--operations", "bcast", "--sizes", "8",
                              "--start", "barrier", "--budget", "1h", "--limit", "4s", "-o", file}),
                  patience);
  INFO(result.out << result.err);
  REQUIRE_FALSE(result.timed_out);
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("the launch took longer than its limit of 4 s (") != std::string::npos);
  const Record record = load_record(file);
  CHECK(record.stopped_because == "the time limit");
  CHECK(record.series.size() == 1);
}

TEST_CASE("a rank that hangs ends the launch at its limit, and the journal stays") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const CommandResult result = run_command(
      command_on(2, {"HOCKNEY_THROWING_RANK=1"},
                 {HOCKNEY_THROWING, "--operations", "hangs-after-a-while", "--sizes", "8",
                  "--start", "barrier", "--budget", "1h", "--limit", "3s", "-o", file}),
      patience);
  INFO(result.out << result.err);
  REQUIRE_FALSE(result.timed_out);
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("(it is still at hangs-after-a-while ") != std::string::npos);
  CHECK(result.err.find("what was measured is in '" + file + ".journal'") != std::string::npos);
  const auto record = recover_journal(file);
  REQUIRE(record);
  CHECK(record->series.size() == 1);
}

TEST_CASE("wrong control messages end a launch, whatever they do to it") {
  std::vector<Lines> commands;
  for (const char* type : {"int64", "uint64", "double", "char", "int"}) {
    for (const char* how : {"every=1", "every=40", "delivery=3", "delivery=100"}) {
      commands.push_back(
          command_on(2, {std::string("HOCKNEY_FAULT=type=") + type + "," + how + ",rank=1"},
                     {HOCKNEY_CORRUPT "/hockney-collectives", "--operations", "bcast", "--sizes",
                      "8,1K", "--epochs", "3", "--limit", "4s", "--start", "round-time"}));
    }
  }
  for (const CommandResult& result : run_together(commands, launches_at_a_time, patience)) {
    INFO(result.out << result.err);
    CHECK_FALSE(result.timed_out);
  }
}

}  // namespace hockney::benchmarks
