#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "components/tune/tables/tables.hpp"

namespace hockney::tune {
namespace {

Tuning tuning() {
  Tuning tuning;
  tuning.evidence.library = "Open MPI v4.1.4, package: Debian";
  tuning.evidence.campaigns = {"night"};
  tuning.evidence.base = "algorithm=default";
  tuning.evidence.family = 6;
  tuning.decisions.points = {
      {.operation = "bcast", .ranks = 4, .bytes = {8}},
      {.operation = "bcast",
       .ranks = 4,
       .bytes = {1024},
       .choice = {.algorithm = "chain", .number = 2, .segment = 8192, .fanout = 4},
       .setting = "algorithm=chain",
       .ratio = 0.5,
       .ratio_interval = Interval{0.4, 0.6, 0.95},
       .p_adjusted = 0.0123,
       .regret = 0.005}};
  return tuning;
}

}  // namespace

TEST_CASE("a choice that saves rules and is slower is not called faster") {
  Tuning found = tuning();
  found.decisions.points[1].ratio = 1.02;
  found.decisions.rules = {
      {.operation = "bcast",
       .ranks = {{.from = 2,
                  .measured = 4,
                  .sizes = {{.from = 0, .choice = found.decisions.points[1].choice}}}}}};
  std::ostringstream out;
  print_selection(out, found, {});
  CHECK_THAT(out.str(), Catch::Contains("chain segment=8K fanout=4, 2.0 % longer\n"));
}

TEST_CASE("a document has each decision, with what is nested in it") {
  Tuning found = tuning();
  found.decisions.points[0].closest = Candidate{.choice = {.algorithm = "ring", .number = 4},
                                                .setting = "algorithm=ring",
                                                .ratio = 0.9,
                                                .family_interval = Interval{0.8, 1.5, 0.95},
                                                .launches = 8,
                                                .p_adjusted = 0.25,
                                                .launches_needed = 14};
  CHECK(to_json(found).at("decisions").at(0) == nlohmann::json::parse(R"(
      {"operation": "bcast", "ranks": 4, "bytes": 8, "choice": null, "setting": null,
       "source": "measured", "ratio": 1.0, "ratio_ci": null, "ratio_ci_family": null,
       "p_adjusted": 1.0, "regret": 0.0,
       "closest": {"choice": {"algorithm": "ring", "number": 4, "segment_bytes": 0, "fanout": 0,
                              "requests": 0, "variables": {}},
                   "setting": "algorithm=ring", "ratio": 0.9, "ratio_ci": null,
                   "ratio_ci_family": [0.8, 1.5], "p_adjusted": 0.25, "launches": 8,
                   "launches_needed": 14}})"));
}

TEST_CASE("what is not in the file is said") {
  Tuning found = tuning();
  CHECK(selection_notes(found).empty());
  found.evidence.launches_needed = 9;
  found.evidence.left_out = {{"algorithm=ring", "bcast", "it failed", 2}};
  found.file.inexpressible = {{"scan", "sizes differ"}};
  const auto notes = selection_notes(found);
  REQUIRE(notes.size() == 3);
  CHECK_THAT(notes[0], Catch::Contains("(6 tests); 9 launches of each setting needed"));
  CHECK(notes[1] == "note: no candidate: setting algorithm=ring for bcast at 2 points (it failed)");
  CHECK(notes[2] == "note: not said of scan (sizes differ)");
}

TEST_CASE("a verification says gain, regret and where the file is slower") {
  Verification verification{.options = {}};
  VerifiedPoint point{.slower = true, .best = "algorithm=chain", .regret = 0.25};
  point.comparison.point = {.operation = "bcast", .bytes = {88}, .ranks = 4};
  point.comparison.a.median_seconds = 10e-6;
  point.comparison.b.median_seconds = 11e-6;
  point.comparison.ratio = 1.1;
  verification.points = {point};
  verification.mean_gain = -0.1;
  verification.mean_regret = 0.25;
  verification.largest_regret = 0.25;
  verification.slower = 1;
  std::ostringstream out;
  print_verification(out, verification, {Proof::proven, {"seen"}});
  CHECK_THAT(out.str(), Catch::StartsWith("slower at 1 of 1 size, up to 10 % at 88; helps nowhere\n"
                                          "effective: proven\n  seen\n\nbcast, 4 ranks\n") &&
                            Catch::Contains("     25.00  SLOWER, algorithm=chain\n") &&
                            Catch::Contains("mean gain -10.00 %, mean regret 25.00 %"));
  const auto document = to_json(verification, {});
  CHECK(document.at("slower") == 1);
  nlohmann::json found = document.at("points").at(0);
  found.erase("point");
  CHECK(found == nlohmann::json::parse(R"({"operation": "bcast", "launches": [0, 0],
      "default_median_seconds": 10e-6, "default_ci_seconds": null, "tuned_median_seconds": 11e-6,
      "tuned_ci_seconds": null, "ratio": 1.1, "ratio_ci": null, "ratio_ci_family": null,
      "p_adjusted": 1.0, "verdict": "no evidence", "slower": true, "best": "algorithm=chain",
      "regret": 0.25, "regret_ci": null})"));
}

TEST_CASE("a verification begins with where the file helps, and how much at most") {
  Verification verification{.options = {}};
  const auto add = [&](std::int64_t bytes, double ratio, verdicts::Verdict verdict) {
    VerifiedPoint& point = verification.points.emplace_back();
    point.comparison.point = {.operation = "bcast", .bytes = {bytes}, .ranks = 4};
    point.comparison.ratio = ratio;
    point.comparison.verdict = verdict;
  };
  add(8, 1.0, verdicts::Verdict::no_evidence);
  add(1024, 0.79, verdicts::Verdict::faster);
  add(65536, 0.9, verdicts::Verdict::faster);
  const auto first_line = [&] {
    std::ostringstream out;
    print_verification(out, verification, {});
    return out.str().substr(0, out.str().find('\n'));
  };
  CHECK(first_line() == "helps at 2 of 3 sizes, up to 21 % at 1K; nowhere slower");
  verification.points[1].comparison.ratio = 0.25;
  CHECK(first_line() == "helps at 2 of 3 sizes, up to 4.00 x at 1K; nowhere slower");
  verification.points.resize(1);
  CHECK(first_line() == "helps nowhere (1 size); nowhere slower");
}

TEST_CASE("no row is longer than the terminal, however long the names of algorithms are") {
  Tuning found = tuning();
  found.decisions.points[1].choice.algorithm =
      "scatter_recursive_doubling_allgather_then_ring_with_segments";
  for (const std::size_t columns : {60U, 80U, 120U}) {
    std::ostringstream out;
    print_selection(out, found, {}, columns);
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      const bool is_one_word = line.find("scatter_") != std::string::npos;
      CHECK((line.size() <= columns || is_one_word));
    }
  }
}

}  // namespace hockney::tune
