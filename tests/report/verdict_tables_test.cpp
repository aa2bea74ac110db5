#include <catch2/catch.hpp>
#include <sstream>

#include "core/text.hpp"
#include "report/verdict_tables.hpp"
#include "tests/report/printed_tables.hpp"
#include "tests/support/guideline_launches.hpp"
#include "tests/verdicts/side_fixture.hpp"

namespace hockney::report {

using verdicts::side;
namespace {

const std::vector<double> base{1.00e-6, 1.01e-6, 1.02e-6, 1.03e-6, 1.04e-6, 1.05e-6};
const std::vector<double> doubled{2.00e-6, 2.02e-6, 2.04e-6, 2.06e-6, 2.08e-6, 2.10e-6};

std::vector<std::string> lines_of(const verdicts::CompareSet& set) {
  std::ostringstream text;
  print_compare_table(text, set);
  return strings_of(split(text.str(), '\n'), squeezed);
}

std::vector<double> first(std::size_t n, const std::vector<double>& seconds) {
  return {seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

TEST_CASE("the compare table shows both absolute values beside every ratio") {
  const auto lines =
      lines_of(verdicts::compare(verdicts::sides_of("eager", {{8, base}, {1024, base}}),
                                 verdicts::sides_of("rendezvous", {{8, base}, {1024, doubled}})));
  REQUIRE(lines.size() == 14);
  CHECK(lines[0] == "A: records, setting eager, 6 launches");
  CHECK(lines[1] == "B: records, setting rendezvous, 6 launches");
  CHECK(lines[2].starts_with("note: A and B were measured apart"));
  CHECK(lines[4] == "# size[B] launches A[us] interval B[us] interval B/A interval p B is");
  CHECK(lines[6] == "# pingpong ranks=2");
  // Intervals of B/A are those of both points together: the same about 1 and about 2, and a little
  // wider than 1.02/1.05 .. 1.05/1.02, the sixth ratio from each end.
  CHECK(lines[7] ==
        "8 6 + 6 1.025 1.000 .. 1.050 1.025 1.000 .. 1.050 1.000 0.9700 .. 1.031 1.00 no evidence");
  CHECK(lines[8] ==
        "1K 6 + 6 1.025 1.000 .. 1.050 2.050 2.000 .. 2.100 2.000 1.940 .. 2.062 0.00216 slower");
  CHECK(lines[9].empty());
}

TEST_CASE("the compare table names the MPI library in short") {
  auto a = side("a", base);
  a.back().provenance.mpi.library = "Open MPI v4.1.4, package: Debian OpenMPI, May 26, 2022";
  CHECK(lines_of(verdicts::compare(a, side("b", base)))[0] ==
        "A: records, setting a, Open MPI v4.1.4, 6 launches");
}

TEST_CASE("the last line of the compare table says what the verdicts hold for") {
  const auto last = [](const verdicts::CompareOptions& options) {
    const auto lines = lines_of(compare(side("a", base), side("b", doubled), options));
    return lines.at(lines.size() - 2);
  };
  const std::string meaning =
      "; no evidence: these launches do not show that B differs, nor that it is equal";
  CHECK(last({}) == "family: 1 point, p corrected by max-T over launches, alpha 0.05" + meaning);
  CHECK(last({.alpha = 0.01, .at_least = 0.05, .correction = verdicts::Correction::none}) ==
        "family: 1 point, p not corrected, alpha 0.01, differences of more than 5 %" + meaning);
}

TEST_CASE("the compare table of one campaign says how many launches were paired") {
  const auto lines = lines_of(verdicts::compare(side("a", base), side("b", doubled),
                                                {.origin = verdicts::Origin::one_campaign}));
  CHECK(lines[5].starts_with("# pingpong"));
  CHECK(lines[6].starts_with("8 6 pairs"));
}

TEST_CASE("the compare table says why launches are too few") {
  const auto unpaired = lines_of(
      verdicts::compare(verdicts::sides_of("a", {{8, first(3, base)}, {16, first(3, base)}}),
                        verdicts::sides_of("b", {{8, first(3, doubled)}, {16, first(3, doubled)}}),
                        {.correction = verdicts::Correction::holm}));
  CHECK_THAT(unpaired[7], Catch::EndsWith("no evidence"));
  CHECK(unpaired[9] ==
        "# note: 3 + 3 launches are too few to show any difference (smallest p 0.100 times 2 "
        "points); 5 launches a side needed");
  const auto paired =
      lines_of(verdicts::compare(side("a", first(5, base)), side("b", first(5, doubled)),
                                 {.origin = verdicts::Origin::one_campaign}));
  CHECK(paired[7] ==
        "# note: 5 pairs are too few to show any difference (smallest p 0.0625); 6 launches a side "
        "needed");
}

TEST_CASE("the compare table lists what lacks a side") {
  auto a = verdicts::sides_of("a", {{8, base}, {16, base}});
  auto b = verdicts::sides_of("b", {{8, base}, {32, base}});
  for (Record& record : b) add_skipped(record, simple_point("pingpong", 16), "budget spent");
  const auto lines = lines_of(verdicts::compare(a, b));
  REQUIRE(lines.size() == 19);
  CHECK(lines[10] == "only in A");
  CHECK(lines[11] == "pingpong ranks=2 16 (B: not measured: budget spent)");
  CHECK(lines[13] == "only in B");
  CHECK(lines[14] == "pingpong ranks=2 32 (A: not planned)");
}

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
  CHECK_THAT(judged.table(), Catch::Contains("setting default, 2 ranks\n"
                                             "                   1       2       3\n"
                                             "slow <= fast   X2.00       +   k1.50\n"));
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
  CHECK_THAT(Judged(records).table(), Catch::Contains("slow <= fast                X2.00\n"
                                                      "slow <= fast operator=max       +\n"));
}

TEST_CASE("a violation has one line with both times, the ratio and what is saved") {
  const std::string table = Judged(exact_launches({2}, 12)).table();
  CHECK_THAT(table, Catch::Contains("slow at 1, setting default, 2 ranks: 31.00 us, 2.00 (2.00 .. "
                                    "2.00) times as long as fast (15.50 us), which saves 50.0 .. "
                                    "50.0 %; repair: no sweep of its algorithms is among the "
                                    "records\n"));
  CHECK_THAT(table, Catch::Contains("12 launches, a family of 1 cells: 1 violated, 0 satisfied, 0 "
                                    "undecided\n"));
}

TEST_CASE("what is undecided and what is not judged is told with the reason") {
  std::vector<Record> records = exact_launches({2}, 4);
  for (Record& record : records) {
    add_measured(record, simple_point("slow", 64), 1e-6);
    add_skipped(record, simple_point("fast", 64), "it is too large");
  }
  const std::string table = Judged(records).table();
  CHECK_THAT(table, Catch::Contains("slow <= fast       ?\n"));
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

}  // namespace hockney::report
