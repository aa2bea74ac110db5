

// hockney-io: what it refuses, and that nothing stays behind.

#ifdef HOCKNEY_MPIEXEC

#include <csignal>
#include <filesystem>
#include <thread>

#include "core/record_file.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

Arguments launch_command(const Arguments& arguments) {
  return launched(2, "hockney-io", with({"--bind", "none", "--start", "barrier"}, arguments));
}

bool is_empty(const std::string& folder) { return std::filesystem::is_empty(folder); }

}  // namespace

TEST_CASE("files are measured by the names of IMB, and removed") {
  const TemporaryFolder folder;
  const TemporaryFolder records;
  const std::string file = records.path() + "/record.json";
  const CommandResult result =
      run_command(launch_command({"--path", folder.path(), "--operations",
                                  "C_Write_Indv,P_Read_Expl,Open_Close", "--sizes", "4K",
                                  "--epochs", "1", "-o", file}),
                  std::chrono::seconds(100));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(is_empty(folder.path()));
  const Record record = load_record(file);
  CHECK(record.procedure == "io");
  REQUIRE(record.series.size() == 3);
  for (const Series& series : record.series) {
    CHECK(series.flags.empty());
    CHECK(series.point.parameters.at("path") == folder.path());
    CHECK(series.point.parameters.at("file-system").find(" on /") != std::string::npos);
  }
  CHECK(record.series[0].point.operation == "file-write-all");
  CHECK(record.series[0].bytes_per_sample == 2 * 4096);
  CHECK(record.series[1].point.operation == "file-read");
  CHECK(record.series[2].point.operation == "file-open-close");
}

TEST_CASE("files are removed when the ranks are killed") {
  const TemporaryFolder folder;
  const std::string killed = "\"$@\" & launcher=$!; until ls " + folder.path() +
                             " | grep -q hockney-io; do sleep 0.05; done; "
                             "pkill -KILL -P $launcher; wait $launcher; "
                             "for i in $(seq 200); do [ -z \"$(ls -A " +
                             folder.path() +
                             ")\" ] && exit 0; sleep 0.05; done; "
                             "ls -A " +
                             folder.path() + " >&2; exit 1";
  Arguments command{"/bin/bash", "-c", killed, "bash"};
  const Arguments launch = launch_command(
      {"--path", folder.path(), "--operations", "file-write", "--sizes", "64K", "--budget", "60s"});
  command.insert(command.end(), launch.begin(), launch.end());
  const CommandResult result = run_command(command, std::chrono::seconds(100));
  INFO(result.err);
  CHECK(result.exit_code == 0);
}

}  // namespace hockney::driver

#endif
