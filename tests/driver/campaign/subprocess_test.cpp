#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
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

/// Starts a guardian of `script` from this thread; `mark` is among the arguments of both.
pid_t start_guardian_of(std::string script, std::string mark, int report) {
  std::array<std::string, 3> shell{"/bin/sh", "-c", std::move(script)};
  std::array<char*, 5> arguments{shell[0].data(), shell[1].data(), shell[2].data(), mark.data(),
                                 nullptr};
  std::array<char*, 1> environment{nullptr};
  const int log = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  SignalWatch signals;
  const pid_t driver = ::getpid();
  const pid_t guardian = ::fork();
  if (guardian == 0) guard({arguments.data(), environment.data(), log, report}, driver, signals);
  ::close(log);
  return guardian;
}

}  // namespace

TEST_CASE("a guardian and its launcher outlive the thread of the driver that started them") {
  const TemporaryFolder folder;
  const std::string gate = folder.path() + "/gate";
  REQUIRE(::mkfifo(gate.c_str(), 0600) == 0);
  std::array<int, 2> report{};
  REQUIRE(::pipe2(report.data(), O_CLOEXEC) == 0);
  pid_t guardian = -1;
  pid_t starter = -1;
  int write_end = -1;
  std::thread([&] {
    starter = ::gettid();
    // After the gate has opened, there is time to be ended for the wrong reason.
    guardian =
        start_guardian_of("read line < " + gate + "; /bin/sleep 0.3; exit 7", gate, report[1]);
    write_end = ::open(gate.c_str(), O_WRONLY | O_CLOEXEC);  // waits for the launcher
  }).join();
  ::close(report[1]);
  REQUIRE(write_end >= 0);
  const std::string task = "/proc/self/task/" + std::to_string(starter);
  CHECK(comes_true([&] { return !std::filesystem::exists(task); }));
  CHECK(::write(write_end, "\n", 1) == 1);
  ::close(write_end);
  GuardianReport reported;
  CHECK(::read(report[0], &reported, sizeof reported) == sizeof reported);
  ::close(report[0]);
  CHECK(reported.wait_status == 7 << 8);
  CHECK(reported.strays == 0);
  CHECK(wait_for(guardian) == 0);
}

TEST_CASE("a scratch folder goes away with its owner, however that ends") {
  const TemporaryFolder folder;
  {
    const ScratchFolder scratch(folder.path());
    const ScratchFolder other(folder.path());
    std::ofstream(scratch.file("a")) << "a";
    CHECK(std::filesystem::path(scratch.path()).parent_path() == folder.path());
    CHECK(scratch.path() != other.path());
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  std::array<int, 2> ready{};
  REQUIRE(::pipe2(ready.data(), O_CLOEXEC) == 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    const ScratchFolder scratch(folder.path());
    std::ofstream(scratch.file("a")) << "a";
    static_cast<void>(::write(ready[1], "\n", 1));
    while (true) ::pause();
  }
  char line = 0;
  CHECK(::read(ready[0], &line, 1) == 1);
  CHECK_FALSE(std::filesystem::is_empty(folder.path()));
  ::kill(owner, SIGKILL);
  CHECK(wait_for(owner) == -SIGKILL);
  CHECK(comes_true([&] { return std::filesystem::is_empty(folder.path()); }));
  ::close(ready[0]);
  ::close(ready[1]);
  CHECK_THROWS_AS(ScratchFolder(folder.path() + "/none"), RunError);
}

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

TEST_CASE("the last lines of a log are plain and few") {
  const TemporaryFolder folder;
  const std::string log = folder.write(
      "log", "one\n\ntwo\n-----\n\x1b[31mred\x1b[0m\n  \nthree \xc3\xa9\n" + std::string(300, 'x'));
  CHECK(last_lines(log, 3) ==
        std::vector<std::string>{"[31mred[0m", "three ", std::string(200, 'x')});
  CHECK(last_lines(log, 99).size() == 5);
  CHECK(last_lines(folder.path() + "/none", 3).empty());
}

TEST_CASE("a program's last words are told apart from its launcher's") {
  const TemporaryFolder folder;
  const std::string ruler(74, '-');
  const std::string chatter = ruler + "\nmpirun detected\n\n  Exit code:    2\n" + ruler + "\n";
  const std::string both = folder.write("both", "bad size 'x'\n" + chatter + chatter);
  CHECK(last_lines(both, 5) == std::vector<std::string>{"bad size 'x'"});
  const std::string hydra(83, '=');
  const std::string mpich = folder.write("mpich", "wrong\n" + hydra + "\n=   EXIT\n" + hydra);
  CHECK(last_lines(mpich, 5) == std::vector<std::string>{"wrong"});
  const std::string launcher_alone = folder.write("alone", chatter);
  CHECK(last_lines(launcher_alone, 5) ==
        std::vector<std::string>{"mpirun detected", "  Exit code:    2"});
}

}  // namespace hockney::campaign
