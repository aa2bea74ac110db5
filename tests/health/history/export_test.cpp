#include <catch2/catch.hpp>
#include <sstream>

#include "core/text.hpp"
#include "health/history/export.hpp"
#include "health/history/night_writer.hpp"
#include "health/history/reading.hpp"
#include "tests/health/history/some_nights.hpp"

namespace hockney::health {
namespace {

/// Numbers that only the shortest exact text brings back.
void fill(const SomeHistory& history) {
  NightWriter writer(history.database);
  writer.store(some_night("2026-01-11", 1.0 / 3.0));
  writer.store(some_night("2026-01-10", 0.1 + 0.2));
  writer.store(some_night("2026-01-10", 1e-17, "z \"quoted\" \xc3\xa9"));
  add_note(history.database, {.day = 20000, .text = "MPI 5.0.9 installed\nand more"});
  add_acceptance(history.database, {.day = 20001, .series = "nightly/*", .why = ""});
  add_maintenance(history.database, {.first_day = 20002, .last_day = 20003, .why = "power"});
  keep_number(history.database, {.name = threshold_name, .value = 7.25});
}

std::string exported(const SomeHistory& history) {
  std::ostringstream out;
  export_history(history.database, out);
  return out.str();
}

Imported import_text(const SomeHistory& history, const std::string& text) {
  std::istringstream in(text);
  return import_history(history.database, in, "e.jsonl");
}

std::string import_error(const std::string& text) {
  const SomeHistory history;
  const std::string line = error_line([&] { import_text(history, text); });
  // Whole or not at all.
  CHECK(listed_nights(history.database).empty());
  CHECK(listed_series(history.database).empty());
  return line;
}

}  // namespace

TEST_CASE("an export and its import lose nothing") {
  SomeHistory history;
  Night night = some_night("2026-01-10", 0.5, "z");
  fill(history);
  const std::string text = exported(history);
  const SomeHistory other;
  const Imported imported = import_text(other, text);
  CHECK(imported.nights == 3);
  CHECK(imported.figures == 6);
  CHECK(imported.pairs == 3);
  CHECK(imported.remarks == 4);
  CHECK(exported(other) == text);
  CHECK(kept_number(other.database, threshold_name) == 7.25);
}

TEST_CASE("importing again changes nothing") {
  const SomeHistory history;
  fill(history);
  const std::string text = exported(history);
  const Imported again = import_text(history, text);
  CHECK(again.nights == 0);
  CHECK(again.nights_there == 3);
  CHECK(exported(history) == text);
}

TEST_CASE("an import that is cut short or broken names the line") {
  const SomeHistory history;
  fill(history);
  const std::vector<std::string> lines = split(exported(history), '\n');
  const auto with = [&](std::size_t number, const std::string& line) {
    std::vector<std::string> changed = lines;
    changed.at(number - 1) = line;
    return join(changed, "\n");
  };
  CHECK_THAT(import_error(""), Catch::Contains("its last line is missing"));
  CHECK_THAT(import_error(lines[0] + "\n" + lines[1] + "\n"),
             Catch::Contains("its last line is missing"));
  CHECK_THAT(import_error(with(2, "{\"kind\": \"env")), Catch::Contains("e.jsonl line 2: "));
  CHECK_THAT(import_error(with(2, "")), Catch::Contains("e.jsonl line 2: "));
  CHECK_THAT(import_error(with(1, lines[1])), Catch::Contains("is out of place"));
  CHECK_THAT(import_error(with(1, R"({"kind":"history","schema":"hockney.history/7"})")),
             Catch::Contains("this program reads 'hockney.history/1'"));
  CHECK_THAT(import_error(with(3, R"({"kind":"sereis"})")),
             Catch::Contains("line 3: key 'kind' is unknown"));
  CHECK_THAT(import_error(with(3, R"({"kind":"series","series":"a","unit":"s","role":"king",)"
                                  R"("worse":"larger"})")),
             Catch::Contains("line 3: key 'role' is 'king'"));
}

TEST_CASE("an import whose nights make no sense names the line") {
  const std::string head = R"({"kind":"history","schema":"hockney.history/1"})"
                           "\n"
                           R"({"kind":"series","series":"a","unit":"s","role":"subject",)"
                           R"("worse":"larger"})"
                           "\n";
  const std::string night = R"({"kind":"night","day":"2026-01-10","campaign":"c","records":[]})"
                            "\n";
  const auto figure = [](const std::string& series, const std::string& day,
                         const std::string& value) {
    return R"({"kind":"figure","day":")" + day + R"(","series":")" + series + R"(","value":)" +
           value + R"(,"launches":3})" + "\n";
  };
  CHECK_THAT(import_error(head + figure("a", "2026-01-10", "1")),
             Catch::Contains("line 3: key 'day' is not that of the night before it"));
  CHECK_THAT(import_error(head + night + figure("b", "2026-01-10", "1")),
             Catch::Contains("line 4: key 'series' is unknown"));
  CHECK_THAT(import_error(head + night + figure("a", "2026-01-11", "1")),
             Catch::Contains("line 4: key 'day' is not that of the night before it"));
  CHECK_THAT(import_error(head + night + figure("a", "2026-01-10", "-1")),
             Catch::Contains("line 4: key 'value' is not above 0"));
  CHECK_THAT(import_error(head + night + figure("a", "2026-01-10", "1e300")),
             Catch::Contains("line 4: key 'value' is 1e+300 (it is at most"));
  CHECK_THAT(
      import_error(head + night + figure("a", "2026-01-10", "1") + figure("a", "2026-01-10", "2")),
      Catch::Contains("line 5: key '' cannot be taken"));
  CHECK_THAT(import_error(head + R"({"kind":"end","lines":7})"),
             Catch::Contains("line 3: key 'lines' is wrong"));
  for (const char* day : {"1999-12-31", "0001-01-01"}) {
    CHECK_THAT(import_error(head + R"({"kind":"night","day":")" + day +
                            R"(","campaign":"c","records":[]})"),
               Catch::Contains("line 3: key 'day' is no day since 2000"));
  }
}

TEST_CASE("a figure outside of its own interval is refused") {
  const std::string head = R"({"kind":"history","schema":"hockney.history/1"})"
                           "\n"
                           R"({"kind":"series","series":"a","unit":"s","role":"subject",)"
                           R"("worse":"larger"})"
                           "\n"
                           R"({"kind":"night","day":"2026-01-10","campaign":"c","records":[]})"
                           "\n";
  const auto figure = [](const std::string& value, const std::string& ends) {
    return R"({"kind":"figure","day":"2026-01-10","series":"a","value":)" + value + R"(,"ci":)" +
           ends + R"(,"ci_level":0.97,"launches":10})";
  };
  CHECK_THAT(import_error(head + figure("1e18", "[9e-07,1.1e-06]")),
             Catch::Contains("line 4: key 'value' is 1e+18 (it is at most"));
  CHECK_THAT(import_error(head + figure("8e-7", "[9e-07,1.1e-06]")),
             Catch::Contains("line 4: key 'value' is 8e-07 (it is at least"));
  CHECK_THAT(import_error(head + figure("1e-6", "[1.1e-06,9e-07]")),
             Catch::Contains("ends before it begins"));
  CHECK_THAT(import_error(head + figure("9e-7", "[9e-07,1.1e-06]")),
             Catch::Contains("its last line is missing"));  // taken
}

TEST_CASE("an import does not overwrite a night made of other records") {
  const SomeHistory history;
  fill(history);
  const std::string before = exported(history);
  const SomeHistory other;
  Night night = some_night("2026-01-10");
  night.records.pop_back();
  NightWriter(other.database).store(night);
  std::ostringstream out;
  export_history(other.database, out);
  CHECK_THAT(error_line([&] { import_text(history, out.str()); }),
             Catch::Contains("is in the history already, made of other records"));
  CHECK(exported(history) == before);
}

TEST_CASE("notes and names of files in another encoding come through as bytes") {
  std::string every_byte;
  for (int byte = 1; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const SomeHistory history;
  Night night = some_night("2026-01-10");
  night.records[0].file =
      "/r/Stra\xdf"
      "e/1.json";
  NightWriter(history.database).store(night);
  add_note(history.database, {.day = 20000, .text = every_byte});
  add_note(history.database, {.day = 20001,
                              .text = "UTF-8 stays text: Stra\xc3\x9f"
                                      "e"});
  add_acceptance(history.database, {.day = 20001, .series = "nightly/*", .why = "gr\xfc\xdf"});
  add_maintenance(history.database, {.first_day = 20002, .last_day = 20003, .why = "\xff"});
  const std::string text = exported(history);
  CHECK(is_utf8(text));
  CHECK_THAT(text, Catch::Contains("\"text\":\"UTF-8 stays text: Stra\xc3\x9f"
                                   "e\"") &&
                       Catch::Contains("\"why\":{\"latin1\":\"gr\xc3\xbc\xc3\x9f\"}"));
  const SomeHistory other;
  import_text(other, text);
  CHECK(read_notes(other.database) == read_notes(history.database));
  CHECK(read_notes(other.database).front().text == every_byte);
  CHECK(read_acceptances(other.database) == read_acceptances(history.database));
  CHECK(read_maintenances(other.database) == read_maintenances(history.database));
  CHECK(stored_records(other.database, night.day, night.campaign) ==
        stored_records(history.database, night.day, night.campaign));
  CHECK(exported(other) == text);
}

TEST_CASE("bytes that are no bytes are refused") {
  const auto error_of = [](const std::string& text) {
    return import_error(
        "{\"kind\":\"history\",\"schema\":\"hockney.history/1\"}\n"
        "{\"kind\":\"note\",\"day\":\"2026-01-10\",\"text\":" +
        text + "}\n{\"kind\":\"end\",\"lines\":2}\n");
  };
  CHECK_THAT(error_of("{\"latin1\":\"\xc4\x80\"}"), Catch::Contains("beyond U+00FF"));
  CHECK_THAT(error_of("{\"latin2\":\"a\"}"), Catch::Contains("latin2"));
  CHECK_THAT(error_of("{}"), Catch::Contains("latin1"));
  CHECK_THAT(error_of("7"), Catch::Contains("text"));
}

}  // namespace hockney::health
