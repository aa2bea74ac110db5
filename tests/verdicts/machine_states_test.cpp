#include "verdicts/machine_states.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/samples.hpp"
#include "tests/support/machine_campaign.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {
namespace {

constexpr int campaigns = 20;

PlantedState quiet(std::size_t, std::size_t) { return {}; }

std::uint64_t seed_of(int number) { return static_cast<std::uint64_t>(number); }

/// The launch median of the only series of a record [s]; 0 without one.
double seconds_of(const Record& record) {
  return launch_median(record, record.series.front()).value_or(0);
}

}  // namespace

TEST_CASE("twenty campaigns on a quiet machine have one state") {
  for (int number = 0; number < campaigns; ++number) {
    CAPTURE(number);
    std::vector<Record> records = machine_campaign(14, seed_of(number), quiet);
    const MachineStates found = judge_launches(records);
    CHECK_FALSE(found.any());
    CHECK(found.busy.empty());
    CHECK_FALSE(records.front().state);
    CHECK(seconds_of(records.front()) > 0);
  }
}

TEST_CASE("two distances of CPUs are named, with the launches of each") {
  for (int number = 0; number < campaigns; ++number) {
    CAPTURE(number);
    std::vector<Record> records = machine_campaign(
        14, seed_of(number),
        [](std::size_t launch, std::size_t) { return PlantedState{.line = launch < 7 ? 1 : 4.5}; });
    const MachineStates found = judge_launches(records);
    REQUIRE(found.groups.size() == 1);
    const StateGroup& group = found.groups.front();
    REQUIRE(group.states.size() == 2);
    CHECK(group.causes.front().figure == MachineFigure::line);
    CHECK(group.causes.front().ranks.empty());
    CHECK(group.states[0].launches == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6});
    CHECK(group.states[0].values.front() == Approx(43e-9).epsilon(0.05));
    CHECK(group.states[1].values.front() == Approx(4.5 * 43e-9).epsilon(0.05));
    CHECK(records[0].state == 1);
    CHECK(records[13].state == 2);
    CHECK(found.busy.empty());
  }
}

TEST_CASE("a clock limit and a busy sibling are states of the noise probe, and keep their times") {
  for (const double factor : {1.25, 1.8}) {
    for (int number = 0; number < campaigns; ++number) {
      CAPTURE(factor, number);
      std::vector<Record> records =
          machine_campaign(14, seed_of(number), [&](std::size_t launch, std::size_t) {
            return PlantedState{.noise = launch % 4 == 3 ? factor : 1};
          });
      const MachineStates found = judge_launches(records);
      REQUIRE(found.groups.size() == 1);
      CHECK(found.groups.front().causes.front().figure == MachineFigure::noise);
      CHECK(found.groups.front().states[1].launches == std::vector<std::size_t>{3, 7, 11});
      CHECK(found.busy.empty());
      CHECK(seconds_of(records[3]) > 0);
    }
  }
}

TEST_CASE("of a launch whose state changes only the blocks of one state count") {
  for (int number = 0; number < campaigns; ++number) {
    CAPTURE(number);
    for (const bool drops : {false, true}) {
      std::vector<Record> records =
          machine_campaign(14, seed_of(number), [](std::size_t launch, std::size_t moment) {
            const bool is_far =
                launch >= 9 || (launch == 4 && moment == 2) || (launch == 5 && moment == 1);
            return PlantedState{.line = is_far ? 4.5 : 1};
          });
      if (drops) {
        for (Record& record : records) drop_samples(record.series.front(), record.machine);
      }
      const MachineStates found = judge_launches(records);
      REQUIRE(found.groups.size() == 1);
      CHECK(found.groups.front().changed == std::vector<std::size_t>{4});
      CHECK(found.groups.front().left_out == std::vector<std::size_t>{5});
      CHECK(records[4].state == 1);
      CHECK(seconds_of(records[4]) == Approx(105e-9).epsilon(0.15));
      CHECK(records[5].state == 0);
      CHECK(seconds_of(records[5]) == 0);
      CHECK(why_no_median(records[5], records[5].series.front()) ==
            "the state of the machine changed again and again");
    }
  }
}

TEST_CASE("a launch without a free core is judged by the campaign's noise probes") {
  std::vector<Record> records = machine_campaign(8, 1, quiet);
  for (Record& record : records) record.machine.clear();  // as in records of older versions
  for (double& probe : records[7].series.front().noise_probes_seconds) probe = 9.8e-6;
  const MachineStates found = judge_launches(records);
  CHECK_FALSE(found.any());
  REQUIRE(found.busy.size() == 1);
  CHECK(found.busy.front().record == 7);
  CHECK(found.busy.front().points == 1);
  CHECK(found.busy.front().all_points == 1);
  CHECK(found.busy.front().probe_seconds == Approx(9.8e-6));
  CHECK(found.busy.front().quiet_seconds == Approx(5.4e-6));
  CHECK(counted_blocks(records[7].series.front()) == std::vector<bool>{false, false});
  CHECK(seconds_of(records[7]) == 0);
  CHECK(counted_blocks(records[6].series.front()) == std::vector<bool>{true, true});
}

TEST_CASE("where most launches have no free core, each is judged by its own probes") {
  std::vector<Record> records = machine_campaign(8, 1, quiet);
  for (Record& record : records) record.machine.clear();
  for (std::size_t launch = 0; launch < 5; ++launch) {
    for (double& probe : records[launch].series.front().noise_probes_seconds) {
      probe = 9e-6 + 1e-6 * static_cast<double>(launch);
    }
  }
  CHECK(judge_launches(records).busy.empty());
  CHECK(seconds_of(records[0]) > 0);
}

TEST_CASE("launches on other CPUs are no states of each other, unless of one setting") {
  std::vector<Record> near = machine_campaign(7, 1, quiet, "near");
  std::vector<Record> far = machine_campaign(
      7, 2, [](std::size_t, std::size_t) { return PlantedState{.line = 4}; }, "far");
  for (Record& record : far) {
    record.ranks[1].actual_cpus = {5};
    near.push_back(record);
  }
  CHECK_FALSE(judge_launches(near).any());
  for (Record& record : near) record.campaign->setting = "one";
  CHECK(judge_launches(near).any());
}

TEST_CASE("the floors of records without machine probes show states too") {
  std::vector<Record> records = machine_campaign(14, 3, quiet);
  for (std::size_t launch = 0; launch < records.size(); ++launch) {
    Record& record = records[launch];
    record.machine.clear();
    Point point = simple_point("floor-cacheline", 0);
    point.pair = {0, 1};
    const double level = 1 + 0.01 * static_cast<double>(launch % 5);
    add_measured(record, point, (launch < 7 ? 43e-9 : 197e-9) * level);
  }
  const MachineStates found = judge_launches(records);
  REQUIRE(found.any());
  CHECK(found.groups.front().states[1].launches.size() == 7);
}

TEST_CASE("five launches have one state, and records without ranks are passed over") {
  const auto far = [](std::size_t launch, std::size_t) {
    return PlantedState{.line = launch < 3 ? 1.0 : 9.0};
  };
  std::vector<Record> records = machine_campaign(5, 1, far);
  CHECK_FALSE(judge_launches(records).any());
  records = machine_campaign(12, 1, far);
  for (Record& record : records) record.ranks.clear();
  CHECK_FALSE(judge_launches(records).any());
}

TEST_CASE("the usual state is kept for predictions") {
  std::vector<Record> records = machine_campaign(14, 1, [](std::size_t launch, std::size_t) {
    return PlantedState{.line = launch < 5 ? 4.5 : 1};
  });
  const MachineStates found = keep_usual_state(records);
  CHECK(found.any());
  REQUIRE(records.size() == 9);
  CHECK_FALSE(records.front().state);
  CHECK(records.front().campaign->launch == 5);
}

// Comparisons within states.

namespace {

/// Sides A and B of so many launches, B slower by `factor`; a launch is far if `is_far`.
CompareSet compared(std::size_t of_a, std::size_t of_b, double factor,
                    const std::function<bool(bool is_b, std::size_t launch)>& is_far,
                    std::uint64_t seed) {
  const auto planted = [&](bool is_b) {
    return [=](std::size_t launch, std::size_t) {
      return PlantedState{.line = is_far(is_b, launch) ? 4.5 : 1};
    };
  };
  std::vector<Record> a = machine_campaign(of_a, 2 * seed, planted(false), "a");
  std::vector<Record> b = machine_campaign(of_b, 2 * seed + 1, planted(true), "b");
  for (Record& record : b) {
    for (double& sample : record.series.front().samples_seconds) sample *= factor;
  }
  std::vector<Record*> all;
  for (Record& record : a) all.push_back(&record);
  for (Record& record : b) all.push_back(&record);
  judge_launches(all);
  return compare(a, b);
}

}  // namespace

TEST_CASE("a machine that moved between the sides is not a slower MPI") {
  const CompareSet set = compared(
      8, 8, 1, [](bool is_b, std::size_t) { return is_b; }, 1);
  const Comparison& one = set.comparisons.front();
  CHECK(one.states == 0);
  CHECK(one.verdict == Verdict::no_evidence);
  CHECK(one.reason == NoEvidence::different_states);
  CHECK(set.machine.any());
}

TEST_CASE("a difference is found within states, which unequal shares of states would hide") {
  int found = 0;
  for (int number = 0; number < campaigns; ++number) {
    // A is far in 3 of 10 launches and B in 6 of 10: the medians of all differ by 4.5 in any case.
    const CompareSet set = compared(
        10, 10, 1.2, [](bool is_b, std::size_t launch) { return launch % 10 < (is_b ? 6U : 3U); },
        seed_of(number));
    const Comparison& one = set.comparisons.front();
    CHECK(one.states == 2);
    CHECK(one.ratio == Approx(1.2).epsilon(0.1));
    CHECK(one.contrast.a.size() == 10);
    if (one.verdict == Verdict::slower) ++found;
  }
  CHECK(found >= 19);
}

TEST_CASE("unequal shares of states are no difference") {
  int alarms = 0;
  for (int number = 0; number < 10 * campaigns; ++number) {
    const CompareSet set = compared(
        10, 10, 1, [](bool is_b, std::size_t launch) { return launch % 10 < (is_b ? 7U : 3U); },
        seed_of(1000 + number));
    if (set.comparisons.front().verdict != Verdict::no_evidence) ++alarms;
  }
  CHECK(alarms <= 18);  // 5 % of 200 are 10; more than 18 have a chance of 0.7 %
}

TEST_CASE("launches in a state of one side alone are left out") {
  const CompareSet set = compared(
      10, 10, 1.3, [](bool is_b, std::size_t launch) { return is_b && launch < 4; }, 5);
  const Comparison& one = set.comparisons.front();
  CHECK(one.states == 1);
  CHECK(one.launches_left_out == 4);
  CHECK(one.verdict == Verdict::slower);
  CHECK(one.ratio == Approx(1.3).epsilon(0.1));
}

}  // namespace hockney::verdicts
