#include "verdicts/disturbance.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/samples.hpp"
#include "tests/support/machine_campaign.hpp"

namespace hockney::verdicts {
namespace {

PlantedMachine quiet(std::size_t, std::size_t) { return {}; }

/// The launch median of the only series of a record [s]; 0 without one.
double seconds_of(const Record& record) {
  return launch_median(record, record.series.front()).value_or(0);
}

}  // namespace

TEST_CASE("on a quiet machine every launch had a free core") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Record> records = machine_campaign(14, seed, quiet);
    CHECK(judge_launches(records).empty());
    CHECK(seconds_of(records.front()) > 0);
  }
}

TEST_CASE("a launch without a free core is judged by the campaign's noise probes") {
  std::vector<Record> records = machine_campaign(8, 1, quiet);
  for (double& probe : records[7].series.front().noise_probes_seconds) probe = 9.8e-6;
  const std::vector<BusyLaunch> found = judge_launches(records);
  REQUIRE(found.size() == 1);
  CHECK(found.front().record == 7);
  CHECK(found.front().points == 1);
  CHECK(found.front().all_points == 1);
  CHECK(found.front().probe_seconds == Approx(9.8e-6));
  CHECK(found.front().quiet_seconds == Approx(5.4e-6));
  CHECK(counted_blocks(records[7].series.front()) == std::vector<bool>{false, false});
  CHECK(seconds_of(records[7]) == 0);
  CHECK(why_no_median(records[7], records[7].series.front()) ==
        "another program used its cores during the whole launch");
  CHECK(counted_blocks(records[6].series.front()) == std::vector<bool>{true, true});
  CHECK(busy_launches(records).size() == 1);
}

TEST_CASE("where most launches have no free core, each is judged by its own probes") {
  std::vector<Record> records = machine_campaign(8, 1, quiet);
  for (std::size_t launch = 0; launch < 5; ++launch) {
    for (double& probe : records[launch].series.front().noise_probes_seconds) {
      probe = 9e-6 + 1e-6 * static_cast<double>(launch);
    }
  }
  CHECK(judge_launches(records).empty());
  CHECK(seconds_of(records[0]) > 0);
}

}  // namespace hockney::verdicts
