#include <catch2/catch.hpp>
#include <sstream>

#include "core/text.hpp"
#include "tests/report/printed_tables.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {

TEST_CASE("a self-test is a line for each thing that was found") {
  verdicts::SelfTest test{.launches = 40, .launches_each = 10};
  test.variants = {{"b", 0, {4, 200}, {1, 20}, 1.0}, {"slow-10", 0.1, {190, 200}, {}, 1.0987}};
  test.covered_at_random = {196, 200};
  test.clock.truth = verdicts::ClockTruth{.within = {1000, 1000},
                                          .median_error_seconds = 12.34e-9,
                                          .largest_error_seconds = 2e-6,
                                          .median_bound_seconds = 240e-9};
  std::ostringstream out;
  print_self_test(out, test);
  const std::vector<std::string> lines = strings_of(split(out.str(), '\n'), squeezed);
  REQUIRE(lines.size() == 12);
  CHECK(std::vector<std::string>(lines.begin(), lines.begin() + 8) ==
        std::vector<std::string>{
            "# self-test of 40 launches, in campaigns of 10",
            "# measured found share[%] interval[%] median ratio",
            "false alarms (only the name differs) 4/200 2.0 0.5476 .. 5.041 1.000",
            "any point, judged jointly 1/20 5.0 0.1265 .. 24.87 -",
            "power, 10.0 % slower 190/200 95.0 91.00 .. 97.58 1.099",
            "coverage, launches at random 196/200 98.0 94.96 .. 99.45 -",
            "coverage, consecutive launches 0/0 - - -",
            "clock syncs within their bound 1000/1000 100.0 99.63 .. 100.0 -"});
  CHECK(lines[8] ==
        "# error of these syncs (truth: 0): median 12.3 ns, largest 2000 ns; their bound: median "
        "240 ns");
  CHECK(lines[9] ==
        "# each comparison at 5 % alone; intervals: 95 %, as if comparisons were independent");
}

TEST_CASE("a clock that was not tested is said to be so, with the reason") {
  verdicts::SelfTest test;
  test.clock.reason = "the launches made no --clock-checks";
  std::ostringstream out;
  print_self_test(out, test);
  CHECK_THAT(out.str(),
             Catch::Contains("\n# clock not tested: the launches made no --clock-checks\n"));
}

}  // namespace hockney::report
