#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "core/text.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/study.hpp"
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

TEST_CASE("a clock that jumps costs the block it is met in, and is synchronised anew", "[study]") {
  for (const std::string& jump :
       first_of<std::string>(1, {"1,-3600,5", "0,-3600,5", "0,3600,5", "1,-1,5"})) {
    const TemporaryFolder folder;
    const std::string file = folder.path() + "/record.json";
    const CommandResult result =
        run_command(command_on(2, {"LD_PRELOAD=" HOCKNEY_FAULTS, "HOCKNEY_CLOCK_JUMP=" + jump},
                               {HOCKNEY_COLLECTIVES, "--operations", "bcast,allreduce", "--sizes",
                                "8,16K", "--budget", "3s", "--start", "round-time", "-o", file}),
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

namespace {

/// The value of --leave-out that the dying rank suggests; empty if it does not.
std::string suggested_choice(const std::string& said) {
  constexpr std::string_view mark = "leave it out with --leave-out '";
  const std::size_t at = said.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t first = at + mark.size();
  return said.substr(first, said.find('\'', first) - first);
}

}  // namespace

TEST_CASE("a rank that dies inside the library says at which point, and how to leave it out") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const Lines variables{"LD_PRELOAD=" HOCKNEY_FAULTS, "HOCKNEY_DYING_REDUCE=1,4096"};
  Lines program{HOCKNEY_COLLECTIVES,
                "--operations",
                "bcast,allreduce",
                "--sizes",
                "8,4K",
                "--epochs",
                "2",
                "--start",
                "barrier",
                "-o",
                file};
  const CommandResult died = run_command(command_on(2, variables, program), patience);
  INFO(died.out << died.err);
  REQUIRE_FALSE(died.timed_out);
  CHECK(died.exit_code != 0);
  CHECK(died.err.find("rank 1: died of SIGSEGV (at allreduce ranks=2 ") != std::string::npos);
  CHECK(died.err.find("rank 1: died of SIGSEGV in libhockney_faults.so") != std::string::npos);
  const std::string choice = suggested_choice(died.err);
  REQUIRE(choice.ends_with(" at 4096 bytes"));
  const auto journal = recover_journal(file);
  REQUIRE(journal);
  CHECK(journal->under_way.starts_with("allreduce ranks=2 "));

  program.insert(program.end(), {"--leave-out", choice});
  const CommandResult lives = run_command(command_on(2, variables, program), patience);
  INFO(lives.out << lives.err);
  REQUIRE(lives.exit_code == 0);
  const Record record = load_record(file);
  CHECK(record.series.size() == 3);
  const auto skipped =
      std::ranges::find(record.points, PointStatus::skipped, &PlannedPoint::status);
  REQUIRE(skipped != record.points.end());
  CHECK(skipped->point.operation == "allreduce");
  CHECK(skipped->point.bytes.value == 4096);
}

namespace {

/// Two launches on two ranks with a fault of faults.cpp at allreduce of 4 KiB.
nlohmann::json crashing_campaign(const std::string& fault) {
  std::map<std::string, std::string> environment{{"LD_PRELOAD", HOCKNEY_FAULTS}, {fault, "1,4096"}};
  for (const std::string& variable : split(HOCKNEY_MPI_ENVIRONMENT, '|')) {
    const std::size_t equals = variable.find('=');
    environment[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  return {{"schema", "hockney.campaign/1"},
          {"name", "deadly"},
          {"program", HOCKNEY_COLLECTIVES},
          {"arguments",
           {"--operations", "bcast,allreduce", "--sizes", "8,4K", "--epochs", "2", "--start",
            "barrier"}},
          {"ranks", 2},
          {"launches", 2},
          {"launch_timeout_seconds", 8},
          {"environment", environment},
          {"launcher", {{"arguments", split(HOCKNEY_LAUNCHER_FLAGS, '|')}}},
          {"settings", {{{"name", "default"}}}}};
}

}  // namespace

TEST_CASE("a campaign goes on without the points at which launches die or hang", "[study]") {
  for (const std::string& fault :
       first_of<std::string>(1, {"HOCKNEY_DYING_REDUCE", "HOCKNEY_HANGING_REDUCE"})) {
    const TemporaryFolder folder;
    const std::string config = folder.write("config.json", crashing_campaign(fault).dump());
    const CommandResult result = run_command(
        {HOCKNEY_DRIVER, "run", config, "--ranks", "2", "--out", folder.path() + "/out"},
        std::chrono::seconds(200));
    INFO(fault << result.out << result.err);
    REQUIRE_FALSE(result.timed_out);
    CHECK(result.exit_code == 5);
    CHECK(result.out.find("left out after 2 launches") != std::string::npos);
    const std::vector<Record> records = load_records({folder.path() + "/out/records"});
    REQUIRE(records.size() == 2);
    for (const Record& record : records) CHECK(record.series.size() == 3);
  }
}

TEST_CASE("a choice that names no point is refused") {
  const CommandResult result = run_command(command_on(2, {},
                                                      {HOCKNEY_COLLECTIVES, "--operations", "bcast",
                                                       "--sizes", "8", "--leave-out", "allreduce"}),
                                           patience);
  INFO(result.out << result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("--leave-out 'allreduce' (it names no point of this launch)") !=
        std::string::npos);
}

TEST_CASE("wrong control messages end a launch, whatever they do to it", "[study]") {
  const std::vector<std::string> ways{"every=1", "every=40", "delivery=3", "delivery=100"};
  const std::vector<std::string> types{"int64", "uint64", "double", "char", "int"};
  std::vector<Lines> commands;
  for (std::size_t at = 0; at < types.size(); ++at) {
    for (const std::string& how : ways) {
      // In the gate each type in one way; all four ways occur.
      if (!is_nightly() && how != ways[at % ways.size()]) continue;
      commands.push_back(
          command_on(2, {"HOCKNEY_FAULT=type=" + types[at] + "," + how + ",rank=1"},
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
