// The shipped campaigns on simulated machines of 256 hosts, as users run them.

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/record_file.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

/// Two links at least, and the simulator's envelope, lie between any two hosts.
constexpr double nearest_seconds = 2 * 300e-9;
constexpr int rounds = 8;  // log2 256

/// The one record of a shipped campaign.
Record run_shipped(const std::string& name) {
  const TemporaryFolder folder;
  const CommandResult result =
      run_command({HOCKNEY_DRIVER, "run", HOCKNEY_SOURCE_DIR "/configs/" + name + ".json",
                   "--executable-dir", HOCKNEY_SIMULATED_BIN, "--out", folder.path() + "/out"},
                  std::chrono::seconds(110));
  INFO(result.out << result.err);
  REQUIRE(result.exit_code == 0);
  const auto records = load_records({folder.path() + "/out"});
  REQUIRE(records.size() == 1);
  return records.front();
}

}  // namespace

TEST_CASE("shipped campaigns run on 256 simulated hosts") {
  const std::string name = GENERATE("smpi-dragonfly-256", "smpi-fat-tree-256");
  const Record record = run_shipped(name);
  INFO(name);
  CHECK(record.status == LaunchStatus::complete);
  REQUIRE(record.ranks.size() == 256);
  CHECK(record.ranks.front().host != record.ranks.back().host);
  REQUIRE(record.series.size() == 5);
  for (const Series& series : record.series) {
    INFO(series.point.operation << " " << series.point.bytes.value);
    REQUIRE(series.summary.median_seconds);
    CHECK(*series.summary.median_seconds > rounds * nearest_seconds);
    CHECK(*series.summary.median_seconds < 1e-3);
  }
}

}  // namespace hockney
