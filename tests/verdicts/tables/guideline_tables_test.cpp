#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/guideline_launches.hpp"
#include "verdicts/tables/guideline_tables.hpp"

namespace hockney::report {
namespace {

/// The records judged, with what is known of them.
struct Judged {
  explicit Judged(const std::vector<Record>& records,
                  std::vector<verdicts::KnownViolation> baseline = {})
      : set(verdicts::judge_guidelines(records)),
        violations(find_violations(set, records)),
        known(std::move(baseline)) {}

  [[nodiscard]] GuidelineReport report() const { return {set, violations, known}; }
  [[nodiscard]] std::string table() const {
    std::ostringstream text;
    print_guideline_table(text, report());
    return text.str();
  }

  verdicts::GuidelineSet set;
  std::vector<verdicts::Violation> violations;
  std::vector<verdicts::KnownViolation> known;
};

}  // namespace

TEST_CASE("guidelines and sizes make a table of marks") {
  const Judged judged(exact_launches({2, 1, 1.5}, 12),
                      {{.guideline = "slow <= fast", .bytes = Bytes{3}}});
  CHECK_THAT(judged.table(), Catch::Contains("# setting default, 2 ranks\n"
                                             "#                 1  2      3\n"
                                             "slow <= fast  X2.00  +  k1.50\n"));
}

TEST_CASE("parameters that a guideline does not name make rows of their own") {
  std::vector<Record> records = exact_launches({2}, 12);
  for (Record& record : records) {
    const double seconds = record.series.front().samples_seconds.front();
    for (const char* operation : {"slow", "fast"}) {
      Point point = simple_point(operation, 1);
      point.parameters = {{"operator", "max"}, {"datatype", "double"}, {"in-place", "no"}};
      add_measured(record, point, seconds);
    }
  }
  CHECK_THAT(Judged(records).table(), Catch::Contains("slow <= fast               X2.00\n"
                                                      "slow <= fast operator=max      +\n"));
}

TEST_CASE("what is undecided and what is not judged is told with the reason") {
  std::vector<Record> records = exact_launches({2}, 4);
  for (Record& record : records) {
    add_measured(record, simple_point("slow", 64), 1e-6);
    add_skipped(record, simple_point("fast", 64), "it is too large");
  }
  const std::string table = Judged(records).table();
  CHECK_THAT(table, Catch::Contains("slow <= fast  ?\n"));
  CHECK_THAT(table, Catch::Contains("1 cell, slow <= fast at 1: 4 launches are too few, 5 "
                                    "needed\n"));
  CHECK_THAT(table, Catch::Contains("not judged\n  slow <= fast: fast: it is too large\n"));
}

TEST_CASE("a known violation that is gone is a note") {
  const Judged judged(exact_launches({1}, 12), {{.guideline = "slow <= fast", .bytes = Bytes{1}}});
  CHECK_THAT(judged.table(),
             Catch::Contains("note: the known violation of slow <= fast at 1 was not seen\n"));
}

TEST_CASE("unknown violations fail in JUnit, and what is known or undecided is skipped") {
  std::vector<verdicts::KnownViolation> known{{.guideline = "slow <= fast", .bytes = Bytes{2}}};
  const Judged judged(exact_launches({2, 2, 1}, 12), known);
  const JUnitSuite suite = guideline_suite(judged.report());
  REQUIRE(suite.cases.size() == 3);
  CHECK(suite.cases[0].name == "slow <= fast at 1, setting default, 2 ranks");
  CHECK(suite.cases[0].classname == "guidelines.slow");
  REQUIRE(suite.cases[0].failure);
  CHECK(suite.cases[0].failure->type == "violated");
  CHECK_THAT(suite.cases[0].failure->message,
             Catch::Contains("2.00 (2.00 .. 2.00) times as long as fast"));
  REQUIRE(suite.cases[1].skipped);
  CHECK_THAT(*suite.cases[1].skipped, Catch::StartsWith("known: slow at 2"));
  CHECK_FALSE(suite.cases[2].failure);
  CHECK_FALSE(suite.cases[2].skipped);
  const JUnitSuite open = guideline_suite(Judged(exact_launches({2}, 4)).report());
  CHECK(open.cases.front().skipped == "undecided: 4 launches are too few, 5 needed");
}

TEST_CASE("the document says why a cell is undecided, and null where nothing is known") {
  const auto json = to_json(Judged(exact_launches({2}, 3)).report());
  const auto& verdict = json.at("verdicts").at(0);
  CHECK(verdict.at("verdict") == "undecided");
  CHECK(verdict.at("reason") == "too_few_launches");
  CHECK(verdict.at("launches_needed") == 5);
  CHECK(verdict.at("ratio_ci").is_null());
  CHECK(verdict.at("smallest_visible_ratio").is_null());
  CHECK(verdict.at("known").is_null());
  CHECK(verdict.at("violation").is_null());
}

TEST_CASE("the document marks known violations, and names those not seen") {
  const auto json =
      to_json(Judged(exact_launches({2, 1}, 12), {{.guideline = "slow <= fast", .bytes = Bytes{1}},
                                                  {.guideline = "slow <= fast", .bytes = Bytes{2}}})
                  .report());
  CHECK(json.at("verdicts").at(0).at("known") == true);
  REQUIRE(json.at("known_not_seen").size() == 1);
  CHECK(json.at("known_not_seen").at(0).at("bytes") == 2);
}

}  // namespace hockney::report
