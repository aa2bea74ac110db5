#include <SQLiteCpp/SQLiteCpp.h>

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "components/health/history/night_writer.hpp"
#include "components/health/history/reading.hpp"
#include "tests/components/health/history/some_nights.hpp"

namespace hockney::health {
namespace {

std::int64_t rows(const SomeHistory& history, const std::string& table) {
  return history.database.sqlite().execAndGet("SELECT count(*) FROM " + table).getInt64();
}

/// Series, day and value of all figures.
std::vector<std::tuple<std::string, std::int64_t, double>> values_of(const SomeHistory& history) {
  std::vector<std::tuple<std::string, std::int64_t, double>> values;
  for (const NightlySeries& series :
       read_series(history.database, listed_series(history.database))) {
    for (const NightlyValue& night : series.nights) {
      values.emplace_back(series.name, night.day, night.value);
    }
  }
  return values;
}

std::string store_error(const SomeHistory& history, const Night& night) {
  NightWriter writer(history.database);
  return error_line([&] { writer.store(night); });
}

}  // namespace

TEST_CASE("a night is stored once, whatever is stored again") {
  const SomeHistory history;
  NightWriter writer(history.database);
  CHECK(writer.store(some_night("2026-01-10")) == Stored::added);
  CHECK(writer.store(some_night("2026-01-11")) == Stored::added);
  CHECK(writer.store(some_night("2026-01-10")) == Stored::unchanged);
  CHECK(NightWriter(history.database).store(some_night("2026-01-11")) == Stored::unchanged);
  CHECK(rows(history, "nights") == 2);
  CHECK(rows(history, "records") == 4);
  CHECK(rows(history, "series") == 2);
  CHECK(rows(history, "figures") == 4);
  CHECK(rows(history, "pairs") == 2);
  CHECK(rows(history, "environments") == 1);
}

TEST_CASE("a night with more records takes the place of the one there") {
  const SomeHistory history;
  NightWriter writer(history.database);
  writer.store(some_night("2026-01-10", 1e-6));
  Night more = some_night("2026-01-10", 3e-6);
  more.records.push_back({.digest = "another", .file = "/r/3.json"});
  more.figures.pop_back();
  CHECK(writer.store(more) == Stored::replaced);
  CHECK(rows(history, "nights") == 1);
  CHECK(rows(history, "figures") == 1);
  CHECK(stored_records(history.database, more.day, "nightly").size() == 3);
  const auto series = read_series(history.database, listed_series(history.database));
  CHECK(series.at(1).nights.at(0).value == 3e-6);
}

TEST_CASE("a night never loses records") {
  const SomeHistory history;
  NightWriter(history.database).store(some_night("2026-01-10"));
  Night fewer = some_night("2026-01-10");
  fewer.records = {{.digest = "another", .file = "/r/3.json"}};
  CHECK_THAT(store_error(history, fewer), Catch::Contains("has changed meanwhile"));
  CHECK(stored_records(history.database, fewer.day, "nightly").size() == 2);
}

TEST_CASE("two campaigns have a night of one day each") {
  const SomeHistory history;
  NightWriter writer(history.database);
  CHECK(writer.store(some_night("2026-01-10", 1e-6, "a")) == Stored::added);
  Night other = some_night("2026-01-10", 1e-6, "b");
  other.pairs.clear();
  CHECK(writer.store(other) == Stored::added);
  const auto nights = listed_nights(history.database);
  REQUIRE(nights.size() == 2);
  CHECK(nights[0].campaign == "a");
  CHECK(nights[1].records == 2);
  CHECK(history_days(history.database).size() == 1);
  CHECK(night_of_record(history.database, "b2026-01-10-1")->campaign == "b");
  CHECK_FALSE(night_of_record(history.database, "unknown"));
}

TEST_CASE("a night that cannot be stored leaves nothing behind") {
  const SomeHistory history;
  NightWriter writer(history.database);
  Night twice = some_night("2026-01-10");
  twice.figures.push_back(twice.figures.front());
  CHECK_THAT(error_line([&] { writer.store(twice); }),
             Catch::Contains("two values of one series on 2026-01-10"));
  CHECK(rows(history, "nights") == 0);
  CHECK(rows(history, "series") == 0);
  // What the writer remembered of the undone night is forgotten.
  CHECK(writer.store(some_night("2026-01-10")) == Stored::added);
  CHECK(rows(history, "figures") == 2);
}

TEST_CASE("a series stays what it was") {
  const SomeHistory history;
  NightWriter(history.database).store(some_night("2026-01-10"));
  Night other = some_night("2026-01-11");
  other.figures.front().series.unit = "bytes";
  CHECK_THAT(store_error(history, other),
             Catch::Contains("there it is seconds, subject, worse when larger; here bytes"));
}

TEST_CASE("values that have no logarithm are refused") {
  const SomeHistory history;
  for (const double value : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    Night night = some_night("2026-01-10");
    night.figures.front().value.value = value;
    CHECK_THAT(store_error(history, night), Catch::Contains("is not finite and above 0"));
  }
}

TEST_CASE("a night that is forgotten was never there, and can come again") {
  Night odd = some_night("2026-01-12", 3e-6);  // with names that no other night has
  odd.environments.front().digest = odd.figures.front().value.environment = "other";
  odd.figures.back().series.name = std::string("odd\0hop", 7);
  odd.pairs.front().pair.b = "hx9";
  odd.pairs.front().point = "odd";
  const SomeHistory with;
  const SomeHistory without;
  for (const SomeHistory* history : {&with, &without}) {
    NightWriter writer(history->database);
    writer.store(some_night("2026-01-10"));
    writer.store(some_night("2026-01-11"));
    writer.store(some_night("2026-01-12", 1e-6, "z"));
  }
  NightWriter(with.database).store(odd);
  const auto all = values_of(with);
  const auto nights = nights_of_day(with.database, odd.day);
  REQUIRE(nights.size() == 2);
  CHECK(nights[0].campaign == "nightly");
  CHECK(nights[0].records == 2);
  CHECK(nights[0].figures == 2);
  CHECK(nights[0].pairs == 1);
  forget_nights(with.database, odd.day, {"nightly"});
  CHECK(values_of(with) == values_of(without));
  for (const char* table : {"series", "environments", "hosts", "pair_points", "records"}) {
    CHECK(rows(with, table) == rows(without, table));
  }
  SQLite::Statement broken(with.database.sqlite(), "PRAGMA foreign_key_check");
  CHECK_FALSE(broken.executeStep());
  CHECK(NightWriter(with.database).store(odd) == Stored::added);
  CHECK(values_of(with) == all);
}

}  // namespace hockney::health
