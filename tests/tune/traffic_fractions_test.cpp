#include "tune/traffic_fractions.hpp"

#include <catch2/catch.hpp>

namespace hockney::tune {

TEST_CASE("shares of traffic are those of the tree, however often it was used") {
  const std::string linear =
      "# POINT TO POINT\nE\t0\t1\t8 bytes\t1 msgs sent\t0,1\nI\t0\t1\t992 bytes\t3 msgs sent\n"
      "I\t0\t2\t1000 bytes\t3 msgs sent\n# OSC\n";
  const TrafficFractions shares = traffic_fractions({linear, ""});
  REQUIRE(shares.size() == 2);
  CHECK(shares.at({0, 1}) == Approx(0.5));
  const TrafficFractions twice = traffic_fractions({linear + linear});
  CHECK(largest_difference(shares, twice) == Approx(0).margin(1e-12));
  const TrafficFractions chain = traffic_fractions(
      {"I\t0\t1\t1000 bytes\t3 msgs sent\n", "I\t1\t2\t1000 bytes\t3 msgs sent\n"});
  CHECK(largest_difference(shares, chain) == Approx(0.5));
  CHECK(traffic_fractions({"# nothing\n"}).empty());
}

}  // namespace hockney::tune
