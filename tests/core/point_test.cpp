#include "core/point.hpp"

#include <catch2/catch.hpp>

#include "tests/support/example_record.hpp"

namespace hockney {

TEST_CASE("a curve is named by everything but the size") {
  CHECK(curve_name({.operation = "bcast", .ranks = 4}) == "bcast ranks=4");
  CHECK(curve_name(hockney::example_point(8)) ==
        "pingpong ranks=2 hop=l3 algorithm=direct pair=0-3 window=64");
  CHECK(curve_name(hockney::example_point(8)) == curve_name(hockney::example_point(64)));
}

TEST_CASE("hot caches are what a record means that does not name them") {
  const auto name_with = [](const char* cache) {
    return curve_name({.operation = "bcast", .ranks = 4, .parameters = {{"cache", cache}}});
  };
  CHECK(name_with("hot") == curve_name({.operation = "bcast", .ranks = 4}));
  CHECK(name_with("cold") == "bcast ranks=4 cache=cold");
  CHECK(name_with("fresh") == "bcast ranks=4 cache=fresh");
}

}  // namespace hockney
