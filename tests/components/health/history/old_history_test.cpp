#include <SQLiteCpp/SQLiteCpp.h>

#include <catch2/catch.hpp>

#include "components/health/history/reading.hpp"
#include "core/atomic_file.hpp"
#include "tests/components/health/history/some_nights.hpp"

// A history that an earlier version wrote (tests/fixtures/documents) is read as what was written.
namespace hockney::health {

TEST_CASE("the history of an earlier version is read whole") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/history.sqlite";
  SQLite::Database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec(read_file(HOCKNEY_SOURCE_DIR "/tests/fixtures/documents/history.sql"));
  const HistoryDatabase history(file, HistoryAccess::read);
  const auto nights = listed_nights(history);
  REQUIRE(nights.size() == 1);
  CHECK(stored_records(history, nights[0].day, "nightly").at(0).file == "/nights/full.json");
  const auto listed = listed_series(history);
  REQUIRE(listed.size() == 6);
  const std::vector<NightlySeries> series = read_series(history, listed);
  CHECK(series[0].name == "clock/setting=nightly:eager=4096/read_seconds");
  CHECK(series[0].role == SeriesRole::control);
  CHECK(series[0].nights.at(0).value == 2e-8);
  CHECK(series[2].worse == WorseWhen::smaller);
  CHECK(series[5].nights.at(0).value == 5.125e-6);
  CHECK(read_environments(history).at(0).facts.at("host.kernel") == "Linux 6.1");
  CHECK(read_notes(history).at(0).text == "MPI 5.0.9 installed");
  CHECK(read_acceptances(history).at(0).why == "new clock");
  CHECK(read_maintenances(history).at(0).why == "power");
}

}  // namespace hockney::health
