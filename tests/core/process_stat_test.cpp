#include "core/process_stat.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace hockney {

TEST_CASE("fields of a process are found after any name") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/stat";
  std::ofstream(file) << "7 (a (b) c) Z 3 4 5 6 7 8 9 10 11 12 13 41 15 x\n";
  const auto stat = read_process_stat(file);
  REQUIRE(stat);
  CHECK(stat->command == "a (b) c");
  CHECK(stat->state_letter() == "Z");
  CHECK(stat->number(ProcessStat::parent) == 3);
  CHECK(stat->number(ProcessStat::user_ticks) == 13);
  CHECK(stat->number(ProcessStat::system_ticks) == 41);
  CHECK(stat->number(ProcessStat::last_cpu) == 0);  // cut
}

TEST_CASE("what is no line about a process is none") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/stat";
  CHECK_FALSE(read_process_stat(file));
  for (const char* const text : {"", "8 (cut", "8 cut)", "8 )("}) {
    std::ofstream(file) << text;
    CAPTURE(text);
    CHECK_FALSE(read_process_stat(file));
  }
}

TEST_CASE("this process is read") {
  const auto stat = read_process_stat("/proc/self/stat");
  REQUIRE(stat);
  CHECK(stat->number(ProcessStat::parent) == ::getppid());
}

}  // namespace hockney
