#include "core/cpu_use.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

/// "PID (NAME) S PARENT ... user system ... cpu": 52 fields as in proc(5).
std::string process_line(int process, const std::string& name, int parent, int ticks, int cpu) {
  std::string line = std::to_string(process) + " (" + name + ") S " + std::to_string(parent);
  for (int field = 5; field <= 52; ++field) {
    line += ' ' + std::to_string(field == 14 ? ticks : field == 39 ? cpu : 0);
  }
  return line + '\n';
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

/// A second of two CPUs after the first reading: the rank used 100 ticks.
struct TwoReadings {
  CpuReading before{.at_seconds = 10,
                    .cpus = {{0, {.busy = 1000, .steal = 5}}, {1, {.busy = 2000, .steal = 0}}},
                    .processes = {{10, {"mpirun", 1, 0, 3}}, {11, {"bench", 10, 0, 50}}}};
  CpuReading after = before;
  double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));

  TwoReadings() {
    const auto second = static_cast<std::int64_t>(ticks);
    after.at_seconds = 11;
    after.cpus[0].busy += second;
    after.cpus[1].busy += second / 2;
    after.processes[11].busy += second;
  }
};

}  // namespace

TEST_CASE("use of a node is read from proc") {
  const TemporaryFolder folder;
  const std::filesystem::path proc(folder.path());
  write(proc / "stat",
        "cpu  9 9 9 9\ncpu0 10 1 5 100 7 2 3 4 0 0\ncpu12 1 0 0 9 0 0 0 0 0 0\nintr 5\n");
  write(proc / "7/stat", process_line(7, "a (b) c", 3, 42, 12));
  write(proc / "self/stat", "?");
  write(proc / "8/stat", "8 (cut");
  const CpuReading reading = read_cpus(proc.string());
  REQUIRE(reading.cpus.size() == 2);
  CHECK(reading.cpus.at(0).busy == 21);
  CHECK(reading.cpus.at(0).steal == 4);
  CHECK(reading.cpus.at(12).busy == 1);
  REQUIRE(reading.processes.size() == 1);
  CHECK(reading.processes.at(7).command == "a (b) c");
  CHECK(reading.processes.at(7).parent == 3);
  CHECK(reading.processes.at(7).busy == 42);
  CHECK(reading.processes.at(7).last_cpu == 12);
}

TEST_CASE("this node can be read") {
  const CpuReading reading = read_cpus();
  CHECK_FALSE(reading.cpus.empty());
  CHECK(reading.processes.contains(static_cast<int>(::getpid())));
}

TEST_CASE("others used what the job's CPUs were busy without its processes") {
  TwoReadings two;
  const auto second = static_cast<std::int64_t>(two.ticks);
  const OwnUse own{.processes = {11}, .cpus = {0, 1}};
  SECTION("half a CPU by a compiler that began later") {
    two.after.processes[20] = {"cc1plus", 1, 1, second * 2 / 5};
    const OtherUse use = use_by_others(two.before, two.after, own);
    CHECK(use.cpus == Approx(0.5).epsilon(0.02));
    CHECK(use.command == "cc1plus");
    CHECK(use.command_cpus == Approx(0.4).epsilon(0.02));
    CHECK(use.steal_cpus == 0);
  }
  SECTION("ancestors of the ranks are the job's") {
    two.after.processes[10].busy += second / 2;
    const OtherUse use = use_by_others(two.before, two.after, own);
    CHECK(use.cpus == Approx(0).margin(0.02));
    CHECK(use.command.empty());
  }
  SECTION("what runs on other CPUs disturbs nobody") {
    two.after.processes[20] = {"far", 1, 1, second / 2};
    const OtherUse use = use_by_others(two.before, two.after, {.processes = {11}, .cpus = {0}});
    CHECK(use.cpus == Approx(0).margin(0.02));
    CHECK(use.command.empty());
  }
  SECTION("a number of a process that was used again") {
    two.before.processes[20] = {"old", 1, 1, 10 * second};
    two.after.processes[20] = {"new", 1, 1, second / 2};
    CHECK(use_by_others(two.before, two.after, own).command == "new");
  }
  SECTION("the hypervisor") {
    two.after.cpus[1].steal += second / 4;
    CHECK(use_by_others(two.before, two.after, own).steal_cpus == Approx(0.25).epsilon(0.02));
  }
  SECTION("no time between the readings") {
    CHECK(use_by_others(two.before, two.before, own) == OtherUse{});
  }
}

}  // namespace hockney
