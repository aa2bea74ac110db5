#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text.hpp"
#include "tests/report/printed_tables.hpp"
#include "tests/verdicts/side_fixture.hpp"
#include "verdicts/tables/verdict_tables.hpp"

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
  CHECK(lines[4] == "# size[B] launches A[us] interval[us] B[us] interval[us] B/A interval p B is");
  CHECK(lines[6] == "# pingpong ranks=2");
  // Intervals of B/A are those of both points together: the same about 1 and about 2, and a little
  // wider than 1.02/1.05 .. 1.05/1.02, the sixth ratio from each end.
  CHECK(lines[7] ==
        "8 6 + 6 1.025 1.000 .. 1.050 1.025 1.000 .. 1.050 1.000 0.9700 .. 1.031 1.00 no evidence");
  CHECK(lines[8] ==
        "1K 6 + 6 1.025 1.000 .. 1.050 2.050 2.000 .. 2.100 2.000 1.940 .. 2.062 0.00216 slower");
  CHECK(lines[9].empty());
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
  const auto set = verdicts::compare(a, b);
  CHECK(lone_text("only in A", set.only_in_a) ==
        "only in A: pingpong ranks=2 16 (not measured: budget spent)");
  const std::vector<verdicts::LonePoint> many(5, set.only_in_b.front());
  CHECK_THAT(lone_text("only in B", many), Catch::EndsWith(" (not planned) and 2 more points"));
}

namespace {

const std::vector<double> six{1, 2, 3, 4, 5, 6};
const std::vector<double> slow{11, 12, 13, 14, 15, 16};

}  // namespace

TEST_CASE("what a comparison cannot know is null, with the reason") {
  const auto row =
      to_json(verdicts::compare(side("a", {1.0, 2.0}), side("b", {11.0, 12.0})))["comparisons"][0];
  for (const char* key : {"a_ci_seconds", "b_ci_seconds", "ratio_ci", "ratio_ci_level"}) {
    CHECK(row[key].is_null());
  }
  CHECK(row["verdict"] == "no evidence");
  CHECK(row["reason"] == "too_few_launches");
  CHECK(row["launches_needed"] == 4);
  CHECK(row["smallest_p"].get<double>() == Approx(2.0 / 6));
}

TEST_CASE("a comparison's document has the crossing, and no number where there is none") {
  const verdicts::Crossover crossed{.point = {.operation = "pingpong", .bytes = {4096}, .ranks = 2},
                                    .crossings = {{.above = verdicts::Winner::b,
                                                   .bytes = 8000,
                                                   .interval_bytes = Interval{4096, 8192, 0.95}}}};
  const verdicts::Crossover apart{.point = crossed.point, .reason = "no pairs"};
  const auto document = to_json(verdicts::CompareSet{.crossovers = {crossed, apart}});
  const auto& crossover = document.at("crossovers").at(0);
  CHECK(crossover.at("operation") == "pingpong");
  CHECK_FALSE(crossover.at("point").contains("bytes"));
  CHECK(crossover.at("bytes") == 8000);
  CHECK(crossover.at("bytes_ci") == nlohmann::json{4096.0, 8192.0});
  CHECK(crossover.at("reason").is_null());
  CHECK(crossover.at("crossings").at(0).at("b_above") == "faster");
  const auto& without = document.at("crossovers").at(1);
  CHECK(without.at("bytes").is_null());
  CHECK(without.at("crossings").empty());
  CHECK(without.at("reason") == "no pairs");
}

TEST_CASE("a comparison's document has the path of each side") {
  const verdicts::Comparison comparison{.a = {.path = "shm"}, .b = {.path = "cma"}};
  const auto document = to_json(verdicts::CompareSet{.comparisons = {comparison}});
  CHECK(document.at("comparisons").at(0).at("paths") == nlohmann::json{"shm", "cma"});
}

}  // namespace hockney::report
