#include <catch2/catch.hpp>

#include "core/record_file.hpp"
#include "tests/simulation/simulated_campaign.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// In a simulator time passes in messages alone: what ranks do by themselves has none.
namespace hockney::simulation {
namespace {

TEST_CASE("noise, neighbours and pages are skipped in a simulator, with the reason") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const CommandResult result = run_command(
      {HOCKNEY_SMPIRUN, "-np", "2", "-platform", folder.write("two.xml", platform_xml({1e-6, 1e9})),
       "-hostfile", folder.write("two.hosts", "h0\nh1\n"), "--log=root.thresh:critical",
       "--cfg=smpi/host-speed:1Gf", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0",
       HOCKNEY_SIMULATED_BIN "/hockney-noise", "--output", file},
      std::chrono::seconds(100));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const Record record = load_record(file);
  CHECK(record.series.empty());
  CHECK(record.noise.empty());
  CHECK_FALSE(record.points.empty());
  for (const PlannedPoint& planned : record.points) {
    CHECK(planned.status == PointStatus::skipped);
    CHECK_FALSE(planned.reason.empty());
  }
}

}  // namespace
}  // namespace hockney::simulation
