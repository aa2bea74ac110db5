#include "report/screens/machine_words.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

#include "models/curves.hpp"
#include "report/rows.hpp"
#include "report/screens/answers.hpp"
#include "tests/support/machine_campaign.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/machine_states.hpp"

namespace hockney::report {
namespace {

PlantedState far_from_seven(std::size_t launch, std::size_t) {
  return {.line = launch < 7 ? 1 : 4.5};
}

std::vector<Record> judged(const Planting& planting) {
  std::vector<Record> records = machine_campaign(14, 1, planting);
  verdicts::judge_launches(records);
  return records;
}

}  // namespace

TEST_CASE("two machine states are named with the times of a point in each") {
  const std::vector<Record> records = judged(far_from_seven);
  const std::vector<Row> rows = campaign_rows(records);
  const Lines lines = machine_words(records, rows);
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Catch::Matches("two machine states: cache line 4[0-9.]+ ns in 7 launches, "
                                      "[12][0-9]+ ns in 7; pingpong at 8: 0\\.[0-9]+ us \\(.*\\) "
                                      "and 0\\.[0-9]+ us \\(.*\\)"));
}

TEST_CASE("rows and curves are by state, and no median is of two states") {
  const std::vector<Record> records = judged(far_from_seven);
  const std::vector<Row> rows = campaign_rows(records);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].point.parameters.at(machine_state_parameter) == "1");
  CHECK(rows[0].launches.size() == 7);
  CHECK(rows[0].median_seconds.value_or(0) == Approx(105e-9).epsilon(0.05));
  CHECK(rows[1].median_seconds.value_or(0) == Approx(4.5 * 105e-9).epsilon(0.05));
  CHECK(rows[1].interval_seconds);
  CHECK(models::collect_curves(records).curves.size() == 2);
  CHECK(mode_words(rows).empty());
}

TEST_CASE("on a quiet machine rows have no state, and the summary no line about it") {
  const std::vector<Record> records =
      judged([](std::size_t, std::size_t) { return PlantedState{}; });
  const std::vector<Row> rows = campaign_rows(records);
  REQUIRE(rows.size() == 1);
  CHECK_FALSE(rows[0].point.parameters.contains(machine_state_parameter));
  CHECK(machine_words(records, rows).empty());
}

TEST_CASE("launches in which the state changed, or that have none, are counted") {
  const std::vector<Record> records = judged([](std::size_t launch, std::size_t moment) {
    const bool is_far = launch >= 9 || (launch == 4 && moment == 2) || (launch == 5 && moment == 1);
    return PlantedState{.line = is_far ? 4.5 : 1};
  });
  const Lines lines = machine_words(records, campaign_rows(records));
  REQUIRE(lines.size() == 3);
  CHECK(lines[1] == "the machine state changed during 1 launch: only blocks of one state count");
  CHECK(lines[2] == "the machine state changed all the time during 1 launch, left out");
}

TEST_CASE("a launch without a free core is named with its noise probe") {
  std::vector<Record> records =
      machine_campaign(8, 1, [](std::size_t, std::size_t) { return PlantedState{}; });
  for (Record& record : records) record.machine.clear();
  for (double& probe : records[7].series.front().noise_probes_seconds) probe = 9.8e-6;
  verdicts::judge_launches(records);
  const Lines lines = machine_words(records, campaign_rows(records));
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] ==
        "1 launch never had a free core (noise probe 9.80 us, 5.40 us in other launches): left out "
        "there");
}

TEST_CASE("a comparison of sides in different states reports that the machine moved") {
  std::vector<Record> a = machine_campaign(
      8, 1, [](std::size_t, std::size_t) { return PlantedState{}; }, "a");
  std::vector<Record> b = machine_campaign(
      8, 2, [](std::size_t, std::size_t) { return PlantedState{.line = 4.5}; }, "b");
  std::vector<Record*> all;
  for (Record& record : a) all.push_back(&record);
  for (Record& record : b) all.push_back(&record);
  verdicts::judge_launches(all);
  const Lines lines = machine_words(verdicts::compare(a, b));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] ==
        "the machine moved: A and B were measured in different machine states at 1 of 1 point, "
        "which are not judged");
  CHECK_THAT(lines[1], Catch::StartsWith("two machine states: cache line 4"));
}

}  // namespace hockney::report
