#include "report/self_test_table.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace hockney;

TEST_CASE("a self-test is a line for each thing that was found") {
  SelfTest test{.launches = 40, .launches_each = 10};
  test.variants = {{"b", 0, {4, 200}, 1.0}, {"slow-10", 0.1, {190, 200}, 1.0987}};
  test.covered_at_random = {196, 200};
  std::ostringstream out;
  print_self_test(out, test);
  CHECK(out.str() == R"(self-test of 40 launches, in campaigns of 10
                                             found       %     interval[%]  median ratio
false alarms (only the name differs)         4/200    2.00   0.548 .. 5.04         1.000
power, 10.0 % slower                       190/200    95.0    91.0 .. 97.6         1.099
coverage, launches at random               196/200    98.0    95.0 .. 99.5
coverage, consecutive launches                 0/0       -               -
  each comparison at 5 % by itself; intervals: 95 %, as if comparisons were independent
)");
}
