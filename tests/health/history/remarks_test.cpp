#include "health/history/remarks.hpp"

#include <catch2/catch.hpp>

#include "tests/health/history/some_nights.hpp"

namespace hockney::health {

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
