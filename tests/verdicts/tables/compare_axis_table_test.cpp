#include <catch2/catch.hpp>
#include <sstream>

#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {

namespace {

verdicts::AxisCompareSet by_eager_limit() {
  verdicts::AxisCompareSet set{.axis = "eager", .base = "default", .family = 2, .alone = {"4096"}};
  const verdicts::Comparison comparison{.point = {.operation = "bcast", .bytes = {8}, .ranks = 2},
                                        .a = {.launches = 3, .median_seconds = 1e-6},
                                        .b = {.launches = 3, .median_seconds = 2e-6},
                                        .ratio = 2,
                                        .p = 0.25,
                                        .p_adjusted = 0.5};
  set.comparisons.push_back(
      {"8192", {{"algorithm", "ring"}}, {.comparisons = {comparison}, .family = 2}});
  set.comparisons.push_back({"16384", {}, {.comparisons = {comparison}, .family = 2}});
  return set;
}

}  // namespace

TEST_CASE("comparisons by an axis name their values, and what was not compared") {
  std::ostringstream out;
  print_compare_axis_table(out, by_eager_limit());
  const std::string text = out.str();
  CHECK_THAT(
      text,
      Catch::Contains("\n# A: eager=default; B: eager=8192, at algorithm=ring\n") &&
          Catch::Contains("\n# A: eager=default; B: eager=16384\n") &&
          Catch::Contains("not compared: eager=4096 (no setting with eager=default is like "
                          "it otherwise)") &&
          Catch::Contains("family: 2 points, p corrected by max-T over launches, alpha 0.05"));
}

}  // namespace hockney::report
