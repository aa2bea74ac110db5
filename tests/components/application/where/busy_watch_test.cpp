#include "components/application/where/busy_watch.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>

namespace hockney::where {
namespace {

/// A process that has used so much CPU time.
ProcessSample process(const std::string& command, double cpu_seconds) {
  const auto ticks =
      static_cast<std::int64_t>(cpu_seconds * static_cast<double>(::sysconf(_SC_CLK_TCK)));
  return {.parent = 1, .command = command, .user = "ann", .threads = {{1, {.ticks = ticks}}}};
}

}  // namespace

TEST_CASE("commands are busy by the CPU time of all their processes, those that began since too") {
  BusyWatch watch;
  const std::set<int> own{9};
  watch.add({{1, process("cc1plus", 100)}, {2, process("ld", 50)}, {9, process("mpirun", 0)}},
            Seconds{20}, own);
  CHECK(watch.text(2, "").empty());
  watch.add({{1, process("cc1plus", 105)}, {2, process("ld", 51)}, {9, process("mpirun", 8)}},
            Seconds{25}, own);
  watch.add({{2, process("ld", 53)}, {3, process("cc1plus", 4)}, {4, process("sshd", 0.5)}},
            Seconds{30}, own);
  CHECK(watch.text(2, "") == "cc1plus (0.9 of 2 CPUs), ld (0.3)");
  CHECK(watch.text(2, "cc1plus") == "ld (0.3 of 2 CPUs)");
}

}  // namespace hockney::where
