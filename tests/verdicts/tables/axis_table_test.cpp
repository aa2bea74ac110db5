#include "verdicts/tables/axis_table.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/support/launches.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {
namespace {

Record launch_at(int number, const std::string& eager, const std::string& algorithm,
                 double seconds) {
  Record record;
  record.campaign = CampaignPlace{.name = "s",
                                  .setting = "eager=" + eager + ",algorithm=" + algorithm,
                                  .launch = number,
                                  .axes = {{"eager", eager}, {"algorithm", algorithm}}};
  add_measured(record, simple_point("allreduce", 8), seconds);
  return record;
}

/// Six launches of two algorithms at three eager limits; one combination stands alone.
std::vector<Record> sweep() {
  std::vector<Record> records;
  for (int launch = 1; launch <= 6; ++launch) {
    const double drift = 1 + 0.01 * launch;
    records.push_back(launch_at(launch, "default", "ring", 1e-6 * drift));
    records.push_back(launch_at(launch, "16384", "ring", 3e-6 * drift));
    records.push_back(launch_at(launch, "8192", "ring", 2e-6 * drift));
    records.push_back(launch_at(launch, "default", "tree", 5e-6 * drift));
  }
  return records;
}

}  // namespace

TEST_CASE("an axis is told with the others held, ratios paired by launch") {
  const AxisTable table = by_axis(sweep(), "eager");
  CHECK(table.base == "default");
  CHECK(table.settings_alone == 1);  // tree has one eager limit only
  REQUIRE(table.blocks.size() == 1);
  const AxisBlock& block = table.blocks.front();
  CHECK(block.others == std::map<std::string, std::string>{{"algorithm", "ring"}});
  REQUIRE(block.rows.size() == 3);
  CHECK(block.rows[0].value == "default");
  CHECK(block.rows[1].value == "8192");
  CHECK(block.rows[2].value == "16384");
  CHECK(*block.rows[0].row.median_seconds == Approx(1.035e-6));
  CHECK(block.rows[0].row.interval_seconds->low == Approx(1.01e-6));
  CHECK(block.rows[0].row.interval_seconds->high == Approx(1.06e-6));
  CHECK_FALSE(block.rows[0].ratio.has_value());
  // The drift is of the block of launches, so no ratio has any of it.
  CHECK(*block.rows[2].ratio == Approx(3));
  CHECK(block.rows[2].ratio_interval->low == Approx(3));
  CHECK(block.rows[2].ratio_interval->high == Approx(3));
}

TEST_CASE("another axis of the same launches") {
  const AxisTable table = by_axis(sweep(), "algorithm");
  CHECK(table.base == "ring");
  CHECK(table.settings_alone == 2);
  REQUIRE(table.blocks.size() == 1);
  CHECK(table.blocks.front().rows.back().value == "tree");
  CHECK(*table.blocks.front().rows.back().ratio == Approx(5));
}

TEST_CASE("launches that ended early do not count, and too few give no interval") {
  std::vector<Record> records;
  for (const Record& record : sweep()) {
    if (record.campaign->launch <= 5) records.push_back(record);
  }
  const AxisTable five = by_axis(records, "eager");
  const AxisRow& row = five.blocks.front().rows[1];
  CHECK_FALSE(row.row.interval_seconds.has_value());
  CHECK(row.ratio.has_value());
  CHECK_FALSE(row.ratio_interval.has_value());
  records.front().status = LaunchStatus::failed;
  const AxisTable four = by_axis(records, "eager");
  CHECK(four.blocks.front().rows[0].row.launches.size() == 4);
}

TEST_CASE("an axis there is not is an error that names the nearest") {
  CHECK(verdicts::axes_of(sweep()) == std::vector<std::string>{"algorithm", "eager"});
  CHECK_THROWS_WITH(by_axis(sweep(), "eagr"), Catch::Contains("did you mean 'eager'"));
  std::vector<Record> two = sweep();
  two.front().campaign->name = "t";
  CHECK_THROWS_WITH(by_axis(two, "eager"), Catch::Contains("several campaigns"));
  CHECK_THROWS_AS(by_axis({}, "eager"), InputError);
}

}  // namespace hockney::report
