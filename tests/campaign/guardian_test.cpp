#include "campaign/guardian.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "campaign/subprocess.hpp"
#include "core/error.hpp"
#include "tests/campaign/processes.hpp"
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
  GuardianReport told;
  CHECK(::read(report[0], &told, sizeof told) == sizeof told);
  ::close(report[0]);
  CHECK(told.wait_status == 7 << 8);
  CHECK(told.strays == 0);
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

}  // namespace hockney::campaign
