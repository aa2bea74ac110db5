#include <catch2/catch.hpp>
#include <sstream>

#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {

TEST_CASE("a clock that was not tested is said to be so, with the reason") {
  verdicts::SelfTest test;
  test.clock.reason = "the launches made no --clock-checks";
  std::ostringstream out;
  print_self_test(out, test);
  CHECK_THAT(out.str(),
             Catch::Contains("\n# clock not tested: the launches made no --clock-checks\n"));
}

}  // namespace hockney::report
