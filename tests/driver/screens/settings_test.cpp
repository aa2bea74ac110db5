#include <catch2/catch.hpp>

#include "core/algorithm_use.hpp"
#include "driver/screens/settings.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

/// Launches of a setting, in which ping-pong takes so many times a microsecond, a little more in
/// each.
void add_launches(std::vector<Record>& records, const CampaignPlace& place, int launches,
                  const std::map<std::int64_t, double>& times,
                  const std::vector<std::string>& flags = {}) {
  for (int launch = 0; launch < launches; ++launch) {
    Record record = launch_of(place.setting);
    record.campaign->axes = place.axes;
    record.campaign->launch = launch;
    for (const auto& [bytes, factor] : times) {
      const double seconds = factor * (1 + 0.01 * launch) * 1e-6;
      add_measured(record, simple_point("pingpong", bytes), seconds, flags);
    }
    records.push_back(std::move(record));
  }
}

CampaignPlace place(const std::string& setting,
                    const std::map<std::string, std::string>& axes = {}) {
  return {.name = "test", .setting = setting, .launch = 0, .axes = axes};
}

Lines answer(const std::vector<Record>& records) {
  return settings_answer(settings_matrices(records));
}

/// A sweep of five algorithms, of which one is twice as fast at 64 KiB.
std::vector<Record> sweep_of_five() {
  std::vector<Record> records;
  for (const std::string& algorithm : Lines{"2", "default", "10", "ring", "tree"}) {
    const double factor = algorithm == "ring" ? 0.5 : 1;
    add_launches(records, place("algorithm=" + algorithm, {{"algorithm", algorithm}}), 6,
                 {{8, 1}, {65536, factor * 10}});
  }
  return records;
}

}  // namespace

TEST_CASE("the default comes first, and values of an axis stand in their order") {
  const std::vector<SettingsMatrix> matrices = settings_matrices(sweep_of_five());
  REQUIRE(matrices.size() == 1);
  std::vector<std::string> names;
  for (const SettingRow& row : matrices[0].rows) names.push_back(row.name);
  CHECK(names == std::vector<std::string>{"default", "2", "10", "ring", "tree"});
  CHECK_FALSE(matrices[0].rows[0].cells.at({8}).against_base);
  CHECK(matrices[0].rows[3].cells.at({65536}).against_base->verdict == verdicts::Verdict::faster);
}

TEST_CASE("a sweep names the settings that are slower, the slowest first") {
  const auto answer_of = [](const std::vector<double>& factors) {
    std::vector<Record> records;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const std::string value = i == 0 ? "default" : std::to_string(i);
      add_launches(records, place(value, {{"x", value}}), 6, {{8, factors[i]}, {65536, 1}});
    }
    return answer(records);
  };
  const Lines lines = answer_of({1, 3, 6, 1});
  CHECK(lines.at(0) ==
        R"(pingpong ranks=2, 4 settings: none is shown to be faster than "default")");
  CHECK_THAT(lines.at(1), Catch::StartsWith(R"("2" is slower at 1 of 2 sizes: 6.00 x as long)"));
  CHECK_THAT(lines.at(2), Catch::StartsWith(R"("1" is slower at 1 of 2 sizes: 3.00 x as long)"));
  CHECK_THAT(lines.at(3), Catch::StartsWith("us at"));
  const Lines many = answer_of({1, 3, 6, 4, 5, 7});
  CHECK_THAT(many.at(1), Catch::StartsWith(R"("5" is slower)"));
  CHECK_THAT(many.at(3), Catch::StartsWith(R"("4" is slower)"));
  CHECK(many.at(4) == "2 more settings slower at some size");
}

TEST_CASE("what loses most stands first, with its worst size, before all tables") {
  std::vector<Record> records;
  const auto add = [&](const std::string& setting, double at_64, double of_bcast) {
    add_launches(records, place(setting), 8, {{8, 1}, {64, at_64}, {65536, 1.2}});
    for (std::size_t i = records.size() - 8; i < records.size(); ++i) {
      const double drift = 1 + 0.01 * records[i].campaign->launch;
      add_measured(records[i], simple_point("bcast", 8), of_bcast * drift * 1e-6);
    }
  };
  add("a", 1, 1);
  add("b", 1.5, 9);
  const Lines lines = answer(records);
  CHECK(lines.at(0) == R"(bcast: "b" is slower: 9.00 x as long (9.00 .. 9.00) at 8)");
  CHECK_THAT(lines.at(1),
             Catch::StartsWith(R"(pingpong: "b" is slower at 1 of 3 sizes: 50 % longer)"));
  CHECK_THAT(lines.at(2), Catch::StartsWith(R"(pingpong: "b" is not shown to differ)"));
  CHECK(lines.at(3) == "? not shown to differ");
  CHECK(lines.at(5) == "bcast");
}

TEST_CASE("a setting that is slower at several sizes names the largest and the smallest loss") {
  std::vector<Record> records;
  add_launches(records, place("a"), 8, {{8, 1}, {64, 1}, {512, 1}});
  add_launches(records, place("b"), 8, {{8, 1.2}, {64, 8}, {512, 1.5}});
  CHECK(answer(records).at(0) ==
        R"("b" is slower at 3 of 3 sizes: at most 8.00 x as long (8.00 .. 8.00) at 64, )"
        "at least 20 % longer (20.0 .. 20.0) at 8");
}

TEST_CASE("the table of many sizes shows the one that differs most") {
  std::map<std::int64_t, double> base;
  std::map<std::int64_t, double> other;
  for (std::int64_t bytes = 1; bytes <= 1 << 20; bytes *= 2) {
    base[bytes] = 1;
    other[bytes] = bytes == 4096 ? 7 : 1;
  }
  std::vector<Record> records;
  add_launches(records, place("a"), 8, base);
  add_launches(records, place("b"), 8, other);
  const Lines lines = answer(records);
  CHECK_THAT(lines.at(3), Catch::Contains(" 4K "));
  CHECK_THAT(lines.at(6), Catch::Contains(" 7.00 "));
}

TEST_CASE("an interval that is not the family's own is called so where nothing is shown") {
  verdicts::Comparison one;
  one.point = simple_point("pingpong", 131072);
  one.ratio = 5.55;
  one.ratio_interval = Interval{2.38, 14, 0.97};
  one.family = 12;
  one.reason = verdicts::NoEvidence::not_significant;
  one.launches_needed = 9;
  const auto answer_of = [&] {
    const SettingsMatrix matrix{
        .curve = "c",
        .name = "c",
        .rows = {{.name = "a", .setting = "a", .cells = {}},
                 {.name = "b", .setting = "b", .cells = {{{131072}, {1e-6, one, false}}}}}};
    return settings_answer({&matrix, 1}).at(0);
  };
  CHECK(answer_of() ==
        R"("b" is not shown to differ: nearest 5.55 (2.38 .. 14.0 alone; 12 points are tested )"
        "together) at 128K; 9 launches would show such a ratio");
  one.family_interval = Interval{0.7, 44, 0.95};
  CHECK_THAT(answer_of(), Catch::Contains("5.55 (0.700 .. 44.0) at 128K"));
}

TEST_CASE("in a sweep over ranks each number of them has its own base and name") {
  std::vector<Record> records;
  for (const int ranks : {16, 4}) {
    for (const std::string& algorithm : Lines{"ring", "default"}) {
      const std::string count = std::to_string(ranks);
      const std::string setting = "ranks=" + count + ",algorithm=" + algorithm;
      add_launches(records, place(setting, {{"ranks", count}, {"algorithm", algorithm}}), 6,
                   {{8, algorithm == "ring" && ranks == 16 ? 0.5 : 1}});
      for (std::size_t i = records.size() - 6; i < records.size(); ++i) {
        for (PlannedPoint& planned : records[i].points.own()) planned.point.ranks = ranks;
        for (Series& series : records[i].series) series.point.ranks = ranks;
      }
    }
  }
  const std::vector<SettingsMatrix> matrices = settings_matrices(records);
  REQUIRE(matrices.size() == 2);
  CHECK(matrices[0].name == "pingpong ranks=4");
  CHECK(matrices[1].name == "pingpong ranks=16");
  for (const SettingsMatrix& matrix : matrices) {
    REQUIRE(matrix.rows.size() == 2);
    CHECK(matrix.rows[0].name == "default");
    CHECK(matrix.rows[1].name == "ring");
  }
  CHECK(best_at(matrices[0], {8}) == nullptr);
  REQUIRE(best_at(matrices[1], {8}) != nullptr);
  CHECK(best_at(matrices[1], {8})->name == "ring");
}

TEST_CASE("a setting whose algorithm was substituted is marked") {
  std::vector<Record> records;
  add_launches(records, place("default", {{"x", "default"}}), 6, {{8, 1}});
  add_launches(records, place("4", {{"x", "4"}}), 6, {{8, 1}},
               {std::string(algorithm_substituted_flag)});
  const Lines lines = answer(records);
  CHECK_THAT(lines.at(1), Catch::Contains("! another algorithm ran than requested"));
  CHECK(lines.at(4) == "4        1.02!");
}

TEST_CASE("a setting whose algorithm did not run is never the best one") {
  std::vector<Record> records = sweep_of_five();
  add_launches(records, place("algorithm=x", {{"algorithm", "x"}}), 6, {{8, 1}, {65536, 1}},
               {std::string(algorithm_substituted_flag)});
  const std::vector<SettingsMatrix> matrices = settings_matrices(records);
  REQUIRE(best_at(matrices.at(0), {65536}) != nullptr);
  CHECK(best_at(matrices[0], {65536})->name == "ring");
  CHECK_THAT(answer(records).at(0), Catch::Contains("most by \"ring\""));
}

TEST_CASE("numbers of ranks are rows of one table without verdicts") {
  std::vector<Record> records;
  for (const int ranks : {16, 2}) {
    Record record = launch_of("ranks=" + std::to_string(ranks));
    record.campaign->axes = {{"ranks", std::to_string(ranks)}};
    Point point = simple_point("bcast", 8);
    point.ranks = ranks;
    add_measured(record, point, ranks * 1e-6);
    records.push_back(record);
  }
  const Lines lines = answer(records);
  CHECK(lines == Lines{"us at     8", "2      2.00", "16     16.0"});
}

TEST_CASE("settings that would have one short name keep their own") {
  std::vector<Record> records;
  add_launches(records, place("x=default,y=1", {{"x", "default"}, {"y", "1"}}), 6, {{8, 1}});
  add_launches(records, place("x=1,y=default", {{"x", "1"}, {"y", "default"}}), 6, {{8, 2}});
  add_launches(records, place("x=default,y=default", {{"x", "default"}, {"y", "default"}}), 6,
               {{8, 3}});
  const std::vector<SettingsMatrix> matrices = settings_matrices(records);
  REQUIRE(matrices.at(0).rows.size() == 3);
  CHECK(matrices[0].rows[0].name == "default");
  CHECK(matrices[0].rows[1].name == "x=default,y=1");
  CHECK(matrices[0].rows[2].name == "x=1,y=default");
}

}  // namespace hockney::report
