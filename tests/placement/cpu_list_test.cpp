#include <catch2/catch.hpp>

#include "placement/machine.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("CPU lists are written as the kernel writes them") {
  CHECK(format_cpus({}) == "none");
  CHECK(format_cpus({3}) == "3");
  CHECK(format_cpus({5, 1, 0, 2}) == "0-2,5");
  CHECK(format_cpus({1, 1, 0, 0}) == "0-1");
  CHECK(format_cpus({0, 2, 4}) == "0,2,4");
}

TEST_CASE("CPU lists keep the order in which they are written") {
  CHECK(parse_cpus("4,0-2,0") == std::vector<int>{4, 0, 1, 2, 0});
  CHECK(parse_cpus("7-7") == std::vector<int>{7});
  CHECK(parse_cpus("8191") == std::vector<int>{8191});
}

TEST_CASE("what is no CPU list is refused") {
  for (const char* text : {"", ",", "1,", "a", "1-", "-1", "1--2", "3-1", "1 2", " 1", "1.5",
                           "8192", "0-99999999999999999999", "0x1"}) {
    INFO("'" << text << "'");
    CHECK_THROWS_AS(parse_cpus(text), InputError);
  }
  CHECK_THROWS_WITH(parse_cpus("3-1"),
                    "'3-1' is no list of CPUs ('3-1' descends) write such as 0-3,8");
}

}  // namespace
}  // namespace hockney::placement
