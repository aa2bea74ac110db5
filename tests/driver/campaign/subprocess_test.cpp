#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "driver/campaign/subprocess.hpp"
#include "tests/driver/campaign/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::campaign {
namespace {

/// Long enough for a shell to have begun, however busy the machine is.
constexpr Seconds traps_are_set{2};

struct Shell {
  TemporaryFolder folder;
  std::string log = folder.path() + "/log";
  /// A text no other process has among its arguments.
  std::string mark = folder.path();

  ProcessOutcome run(const std::string& script, Seconds limit = {20}, Seconds grace = {5}) const {
    SignalWatch signals;
    return run_process({.command = {{"/bin/sh", "-c", script, mark}, {{"HOCKNEY_TEST", "a value"}}},
                        .log_file = log,
                        .limit = limit,
                        .grace = grace},
                       signals);
  }
};

}  // namespace

TEST_CASE("a program's output, environment and exit code arrive") {
  const Shell shell;
  const ProcessOutcome outcome =
      shell.run("echo out; echo err >&2; echo $HOCKNEY_TEST; cat; exit 5");
  CHECK(outcome.end == ProcessEnd::exited);
  CHECK(outcome.exit_code == 5);
  CHECK(outcome.strays == 0);
  CHECK(outcome.duration.value > 0);
  CHECK(read_file(shell.log) == "out\nerr\na value\n");
}

TEST_CASE("a death by signal is told apart from an exit") {
  const ProcessOutcome outcome = Shell().run("kill -SEGV $$");
  CHECK(outcome.end == ProcessEnd::killed);
  CHECK(outcome.signal == SIGSEGV);
}

TEST_CASE("a program that cannot be executed says so in the log") {
  const Shell shell;
  SignalWatch signals;
  const ProcessOutcome outcome =
      run_process({.command = {{"/no/such/program"}, {}}, .log_file = shell.log}, signals);
  CHECK(outcome.end == ProcessEnd::exited);
  CHECK(outcome.exit_code == 127);
  CHECK(read_file(shell.log).find("/no/such/program") != std::string::npos);
}

TEST_CASE("a program that hangs is ended at its limit") {
  const Shell shell;
  const ProcessOutcome outcome = shell.run("sleep 600", {0.1});
  CHECK(outcome.end == ProcessEnd::timed_out);
  CHECK(outcome.signal == SIGTERM);
  CHECK_FALSE(is_running(shell.mark));
}

TEST_CASE("a program may clean up in the grace it has") {
  const Shell shell;
  const ProcessOutcome outcome = shell.run(
      "trap 'echo cleaned; exit 3' TERM; echo up; while :; do sleep 0.01; done", traps_are_set);
  CHECK(outcome.end == ProcessEnd::timed_out);
  CHECK(outcome.exit_code == 3);
  CHECK(read_file(shell.log).ends_with("cleaned\n"));
}

TEST_CASE("a program that ignores SIGTERM is killed after the grace") {
  const Shell shell;
  const ProcessOutcome outcome =
      shell.run("trap '' TERM; while :; do sleep 0.01; done", traps_are_set, {0.1});
  CHECK(outcome.end == ProcessEnd::timed_out);
  CHECK(outcome.signal == SIGKILL);
  CHECK_FALSE(is_running(shell.mark));
}

TEST_CASE("what outlives the launcher is killed, whatever session it is in") {
  const Shell shell;
  const ProcessOutcome outcome =
      shell.run("setsid sleep 600 '" + shell.mark + "' & setsid setsid sh -c 'sleep 600; :' '" +
                shell.mark + "' & exit 0");
  CHECK(outcome.end == ProcessEnd::exited);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.strays >= 1);
  CHECK_FALSE(is_running(shell.mark));
}

TEST_CASE("what ends by itself a moment after the launcher is not killed") {
  const Shell shell;
  const ProcessOutcome outcome = shell.run("setsid sh -c 'sleep 0.2; echo whole' & exit 0");
  CHECK(outcome.end == ProcessEnd::exited);
  CHECK(outcome.strays == 0);
  CHECK(read_file(shell.log) == "whole\n");
}

TEST_CASE("a process of the caller's own is left alone") {
  const Shell shell;
  const pid_t own = start_program({"/bin/sleep", "600"}, shell.folder.path() + "/own");
  shell.run("sleep 600", {0.05});
  CHECK(::kill(own, 0) == 0);
  ::kill(own, SIGKILL);
  CHECK(wait_for(own) == -SIGKILL);
}

TEST_CASE("a log that cannot be made is a run error") {
  SignalWatch signals;
  CHECK_THROWS_AS(
      run_process({.command = {{"/bin/true"}, {}}, .log_file = "/no/such/log"}, signals), RunError);
}

TEST_CASE("a signal to end is waited for and remembered") {
  SignalWatch signals;
  CHECK_FALSE(signals.end_requested().has_value());
  ::kill(::getpid(), SIGTERM);
  CHECK(signals.end_requested() == SIGTERM);
  ::kill(::getpid(), SIGINT);
  CHECK(signals.wait({1}) == SIGINT);
  CHECK(signals.end_requested() == SIGTERM);
  const Shell shell;
  const ProcessOutcome outcome =
      run_process({.command = {{"/bin/sleep", "600"}, {}}, .log_file = shell.log}, signals);
  CHECK(outcome.end == ProcessEnd::interrupted);
}

TEST_CASE("in a job, a launcher that is signalled before its driver has not failed") {
  const Shell shell;
  const std::string file = shell.folder.path() + "/launcher";
  const auto run_then_signal = [&] {
    const pid_t driver = ::getpid();
    const pid_t slurm = ::fork();
    if (slurm == 0) {
      int launcher = 0;
      while (!(std::ifstream(file) >> launcher) || ::kill(launcher, 0) == 0) ::usleep(1000);
      ::kill(driver, SIGTERM);
      ::_exit(0);
    }
    ::setenv("SLURM_JOB_ID", "12", 1);
    const ProcessOutcome outcome = shell.run("echo $$ > " + file + "; kill -TERM $$");
    ::unsetenv("SLURM_JOB_ID");
    ::waitpid(slurm, nullptr, 0);
    return outcome.end;
  };
  CHECK(run_then_signal() == ProcessEnd::interrupted);
}

TEST_CASE("a guardian and its launcher outlive the thread of the driver that started them") {
  const Shell shell;
  const std::string gate = shell.folder.path() + "/gate";
  REQUIRE(::mkfifo(gate.c_str(), 0600) == 0);
  const ProcessRequest request{
      .command = {{"/bin/sh", "-c", "read line < " + gate + "; sleep 0.3; echo whole"}, {}},
      .log_file = shell.log,
      .watch =
          [](Seconds) {
            throw RunError({"the thread ends", "", ""});
          },
      .between = {0.01}};
  std::thread([&] {
    SignalWatch signals;
    CHECK_THROWS_AS(run_process(request, signals), RunError);
  }).join();
  std::ofstream(gate) << '\n';  // waits for the launcher
  CHECK(comes_true([&] { return read_file(shell.log) == "whole\n"; }));
  CHECK(::wait(nullptr) > 0);
}

TEST_CASE("an output is captured") {
  const CapturedRun run = capture({{"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, {}}, {20});
  CHECK(run.output == "out\nerr\n");
  CHECK(run.outcome.exit_code == 3);
  CHECK_FALSE(run.outcome.succeeded());
}

TEST_CASE("a running program gets each signal once, and is ended with its object") {
  const Shell shell;
  SignalWatch signals;
  const std::string script =
      "trap 'echo x >> \"$0\"' USR1; : > \"$0\"; while :; do sleep 0.01; done";
  pid_t id = 0;
  {
    RunningProgram program({{"/bin/sh", "-c", script, shell.log}, {}}, signals);
    id = program.id();
    REQUIRE(comes_true([&] { return std::filesystem::exists(shell.log); }));
    for (int i = 0; i < 2; ++i) {
      ::kill(::getpid(), SIGUSR1);
      CHECK_FALSE(program.wait({1}));
    }
    CHECK(comes_true([&] { return read_file(shell.log) == "x\n"; }));
  }
  CHECK(::kill(id, 0) != 0);
  RunningProgram ended({{"/bin/sh", "-c", "exit 4"}, {}}, signals);
  std::optional<ProcessOutcome> outcome;
  while (!outcome) outcome = ended.wait({20});
  CHECK(outcome->exit_code == 4);
}

}  // namespace hockney::campaign
