#include <catch2/catch.hpp>

#include "components/health/history/reading.hpp"
#include "tests/components/health/history/some_nights.hpp"

namespace hockney::health {
namespace {

void store_three(const SomeHistory& history) {
  NightWriter writer(history.database);
  // Not in order of days: nights may be ingested late.
  for (const char* day : {"2026-01-12", "2026-01-10", "2026-01-11"}) {
    writer.store(some_night(day, day[9] == '0' ? 1e-6 : 2e-6));
  }
}

}  // namespace

TEST_CASE("series read as they were stored, in order of days") {
  const SomeHistory history;
  store_three(history);
  const auto series = read_series(history.database, listed_series(history.database));
  REQUIRE(series.size() == 2);
  CHECK(series[0].name == "nightly/bytes=1024/bytes_per_second");
  CHECK(series[0].role == SeriesRole::control);
  CHECK(series[0].worse == WorseWhen::smaller);
  CHECK(series[0].unit == "bytes_per_second");
  const std::vector<NightlyValue>& nights = series[1].nights;
  REQUIRE(nights.size() == 3);
  CHECK(day_text(nights[0].day) == "2026-01-10");
  CHECK(day_text(nights[2].day) == "2026-01-12");
  CHECK(nights[0].value == 1e-6);
  CHECK(nights[1].value == 2e-6);
  CHECK(nights[0].interval == Interval{.low = 0.9e-6, .high = 1.1e-6, .level = 0.978515625});
  CHECK(nights[0].launches == 10);
  CHECK(nights[0].environment == "env");
  CHECK_FALSE(series[0].nights[0].interval);
  CHECK(series[0].nights[0].environment.empty());
}

TEST_CASE("a range of days is read, and any choice of series in its order") {
  const SomeHistory history;
  store_three(history);
  auto listed = listed_series(history.database);
  std::swap(listed[0], listed[1]);
  const std::int64_t middle = parse_day("2026-01-11");
  const auto series = read_series(history.database, listed, {.first = middle, .last = middle});
  REQUIRE(series.size() == 2);
  CHECK(series[0].name == "nightly/bytes=8/seconds");
  REQUIRE(series[0].nights.size() == 1);
  CHECK(series[0].nights[0].day == middle);
  CHECK(read_series(history.database, {listed[1]}).front().name == listed[1].kind.name);
  CHECK(read_series(history.database, {}).empty());
}

TEST_CASE("pairs and environments read as they were stored") {
  const SomeHistory history;
  store_three(history);
  const std::string point = "nightly/bytes=8/seconds";
  CHECK(pair_points(history.database) == std::vector<std::string>{point});
  const std::int64_t day = parse_day("2026-01-11");
  const auto pairs = read_pairs(history.database, day, point);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].a == "hx1");
  CHECK(pairs[0].b == "hx2");
  CHECK(pairs[0].hop == "switch");
  CHECK(pairs[0].seconds == 2e-6);
  CHECK(pairs[0].launches == 10);
  CHECK(read_pairs(history.database, 0, point).empty());
  CHECK(read_pairs(history.database, day, "other").empty());
  CHECK(days_of_pairs(history.database, point, {.last = day, .most = 9}) ==
        std::vector<std::int64_t>{day - 1, day});
  CHECK(days_of_pairs(history.database, point, {.last = day + 100, .most = 1}) ==
        std::vector<std::int64_t>{day + 1});
  CHECK(first_of_last(history.database, {.last = day + 100, .most = 2}) == day);
  const auto environments = read_environments(history.database);
  REQUIRE(environments.size() == 1);
  CHECK(environments[0] == Environment{.digest = "env", .facts = {{"host.kernel", "Linux 6.1"}}});
}

TEST_CASE("a moment of reading does not see what is written meanwhile") {
  const SomeHistory history;
  store_three(history);
  const HistoryDatabase reader(history.file, HistoryAccess::read);
  {
    const ReadingMoment moment(reader);
    CHECK(history_days(reader).size() == 3);
    NightWriter(history.database).store(some_night("2026-01-13"));
    CHECK(history_days(reader).size() == 3);
  }
  CHECK(history_days(reader).size() == 4);
}

TEST_CASE("absences of a night are kept, replaced and forgotten with it") {
  SomeHistory history;
  NightWriter writer(history.database);
  Night night = some_night("2026-11-22");
  writer.store(night);
  using Reasons = std::map<std::string, std::string>;
  const Reasons reasons{{"nightly/bytes=64/seconds", "SIGSEGV in lib.so"}};
  CHECK(absences_on(history.database, night.day) == reasons);
  CHECK(absences_on(history.database, night.day + 1).empty());
  const std::string series = night.figures.front().series.name;
  CHECK(campaign_of(history.database, series, night.day) == "nightly");
  CHECK_FALSE(campaign_of(history.database, series, night.day + 1));
  night.records.push_back({.digest = "3", .file = "/r/3.json"});
  night.absences.clear();
  writer.store(night);
  CHECK(absences_on(history.database, night.day).empty());
  writer.store(some_night("2026-11-23"));
  forget_nights(history.database, night.day + 1, {"nightly"});
  CHECK(absences_on(history.database, night.day + 1).empty());
}

TEST_CASE("faults of a night are kept, replaced and forgotten with it") {
  const SomeHistory history;
  NightWriter writer(history.database);
  Night night = some_night("2026-01-10");
  writer.store(night);
  CHECK(faults_on(history.database, night.day) == night.faults);
  CHECK(faults_on(history.database, night.day + 1).empty());
  night.records.push_back({.digest = "another", .file = "/r/3.json"});
  night.faults.clear();
  writer.store(night);
  CHECK(faults_on(history.database, night.day).empty());
  writer.store(some_night("2026-01-11"));
  forget_nights(history.database, night.day + 1, {"nightly"});
  CHECK(faults_on(history.database, night.day + 1).empty());
}

TEST_CASE("remarks are kept in order of days, and the same twice is one") {
  const SomeHistory history;
  add_note(history.database, {.day = 2, .text = "b"});
  add_note(history.database, {.day = 1, .text = "a"});
  add_note(history.database, {.day = 2, .text = "b"});
  CHECK(read_notes(history.database) ==
        std::vector<Note>{{.day = 1, .text = "a"}, {.day = 2, .text = "b"}});
  add_acceptance(history.database, {.day = 5, .series = "*", .why = "first"});
  add_acceptance(history.database, {.day = 5, .series = "*", .why = "second"});
  CHECK(read_acceptances(history.database) ==
        std::vector<Acceptance>{{.day = 5, .series = "*", .why = "second"}});
  add_maintenance(history.database, {.first_day = 3, .last_day = 3, .why = ""});
  CHECK(read_maintenances(history.database).size() == 1);
}

TEST_CASE("maintenance does not end before it begins") {
  const SomeHistory history;
  CHECK_THAT(
      error_line(
          [&] { add_maintenance(history.database, {.first_day = 4, .last_day = 3, .why = ""}); }),
      Catch::Contains("maintenance ends before it begins (1970-01-04 is before 1970-01-05)"));
}

TEST_CASE("changed facts are named, with what was unknown") {
  const Environment before{.digest = "a", .facts = {{"gone", "1"}, {"kept", "2"}, {"new", "3"}}};
  const Environment after{.digest = "b", .facts = {{"added", "5"}, {"kept", "2"}, {"new", "4"}}};
  CHECK(changed_facts(before, after) ==
        std::vector<FactChange>{{.fact = "added", .before = "", .after = "5"},
                                {.fact = "gone", .before = "1", .after = ""},
                                {.fact = "new", .before = "3", .after = "4"}});
  CHECK(changed_facts(after, after).empty());
}

}  // namespace hockney::health
