#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "core/atomic_file.hpp"
#include "health/history/export.hpp"
#include "health/history/reading.hpp"
#include "tests/health/history/some_nights.hpp"

// A history that an earlier version exported (tests/fixtures/documents) is read as what was
// written.
namespace hockney::health {

TEST_CASE("the history of an earlier version is read whole, and written as it was") {
  const std::string file = HOCKNEY_SOURCE_DIR "/tests/fixtures/documents/history.jsonl";
  const SomeHistory history;
  std::ifstream in(file);
  const Imported imported = import_history(history.database, in, file);
  CHECK(imported.nights == 1);
  CHECK(imported.figures == 6);
  CHECK(imported.remarks == 3);
  const auto listed = listed_series(history.database);
  REQUIRE(listed.size() == 6);
  const NightlySeries clock = read_series(history.database, {listed.front()}).front();
  CHECK(clock.name == "clock/setting=nightly:eager=4096/read_seconds");
  CHECK(clock.role == SeriesRole::control);
  CHECK(clock.nights.at(0).value == 2e-8);
  CHECK(read_notes(history.database).at(0).text == "MPI 5.0.9 installed");
  CHECK(read_maintenances(history.database).at(0).why == "power");
  std::ostringstream out;
  export_history(history.database, out);
  CHECK(out.str() == read_file(file));
}

}  // namespace hockney::health
