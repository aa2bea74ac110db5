#include <catch2/catch.hpp>

#include "core/record_file.hpp"
#include "tests/simulation/simulated_campaign.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temporary_folder.hpp"

// A simulator starts no processes and has no connections: what is left is known.
namespace hockney::simulation {
namespace {

Record start_up(const Platform& platform) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const CommandResult result = run_command(
      {HOCKNEY_SMPIRUN, "-np", "2", "-platform", folder.write("two.xml", platform_xml(platform)),
       "-hostfile", folder.write("two.hosts", "h0\nh1\n"), "--log=root.thresh:critical",
       "--cfg=smpi/host-speed:1Gf", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0",
       "--cfg=smpi/bw-factor:0:1", "--cfg=smpi/lat-factor:0:1",
       HOCKNEY_SIMULATED_BIN "/hockney-startup", "--output", file},
      std::chrono::seconds(100));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return load_record(file);
}

TEST_CASE("the first message of a simulator takes what the second one takes, and the wire says") {
  const Platform platform = GENERATE(Platform{1e-6, 10e9}, Platform{5e-6, 1e9});
  const Record record = start_up(platform);
  const Line link = wire(platform);
  const double round_trip = 2 * (link.alpha_seconds + 8 * link.beta_seconds_per_byte);
  int contacts = 0;
  for (const Series& series : record.series) {
    if (series.point.operation == "first-contact") {
      ++contacts;
      CHECK(series.samples_seconds.front() == Approx(round_trip).epsilon(link_tolerance));
    }
    CHECK(series.flags.empty());
  }
  CHECK(contacts == 2);
}

TEST_CASE("what a simulator has not is skipped, with the reason") {
  const Record record = start_up({1e-6, 10e9});
  for (const PlannedPoint& planned : record.points) {
    const std::string& operation = planned.point.operation;
    INFO(operation);
    const bool is_there = operation == "first-contact" || operation.starts_with("comm-") ||
                          operation == "cart-create";
    CHECK((planned.status == PointStatus::measured) == is_there);
    CHECK(planned.reason.empty() == is_there);
  }
  CHECK(record.memory.empty());
}

}  // namespace
}  // namespace hockney::simulation
