#include "tune/tables/tables.hpp"

#include <catch2/catch.hpp>
#include <sstream>

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

TEST_CASE("a line for each point says what is chosen and on what evidence") {
  std::ostringstream out;
  print_selection_table(out, tuning());
  CHECK_THAT(out.str(),
             Catch::StartsWith("for openmpi, from night under Open MPI v4.1.4, default setting "
                               "algorithm=default\n") &&
                 Catch::Contains("chain segment=8K fanout=4    0.5000    0.4000 .. 0.6000    "
                                 "0.0123       0.50\n") &&
                 Catch::Contains("corrected by max-T over launches for 6 tests, alpha 0.05"));
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
  CHECK_THAT(out.str(), Catch::Contains("25.00                   -  algorithm=chain  SLOWER\n") &&
                            Catch::Contains("mean gain -10.00 %, mean regret 25.00 %") &&
                            Catch::Contains("beyond the interval: 1\n") &&
                            Catch::Contains("in force: proven\n  seen\n"));
}

}  // namespace hockney::tune
