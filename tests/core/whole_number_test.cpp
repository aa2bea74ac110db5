#include "core/whole_number.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>

namespace hockney {

TEST_CASE("a double becomes the nearest whole number") {
  CHECK(whole_number<int>(2.4) == 2);
  CHECK(whole_number<int>(-2.6) == -3);
  CHECK(whole_number<std::int64_t>(9007199254740992.0) == 9007199254740992);
  CHECK(whole_number<std::size_t>(-0.4) == 0);
}

TEST_CASE(
    "what its type cannot hold becomes the largest or smallest one, and no number becomes 0") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double large : {9.3e18, 1e300, infinity}) {
    CHECK(whole_number<std::int64_t>(large) == std::numeric_limits<std::int64_t>::max());
    CHECK(whole_number<std::int64_t>(-large) == std::numeric_limits<std::int64_t>::min());
    CHECK(whole_number<int>(large) == std::numeric_limits<int>::max());
    CHECK(whole_number<std::size_t>(-large) == 0);
  }
  CHECK(whole_number<int>(2147483647.0) == 2147483647);
  CHECK(whole_number<std::int64_t>(9223372036854775808.0) ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(whole_number<int>(std::numeric_limits<double>::quiet_NaN()) == 0);
}

}  // namespace hockney
