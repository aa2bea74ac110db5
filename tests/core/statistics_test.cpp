#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "core/statistics.hpp"

namespace hockney {
namespace {

bool determined(const std::vector<Edge>& edges, std::size_t vertices) {
  return every_part_has_an_odd_cycle(edges, vertices);
}

}  // namespace

TEST_CASE("a triangle determines its vertices, a square does not") {
  CHECK(determined({{0, 1}, {1, 2}, {2, 0}}, 3));
  CHECK_FALSE(determined({{0, 1}, {1, 2}, {2, 3}, {3, 0}}, 4));
  CHECK(determined({{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}, 4));
}

TEST_CASE("every part needs a cycle of its own") {
  const std::vector<Edge> triangle_and_edge{{0, 1}, {1, 2}, {2, 0}, {3, 4}};
  CHECK_FALSE(determined(triangle_and_edge, 5));
  std::vector<Edge> joined = triangle_and_edge;
  joined.push_back({2, 3});
  CHECK(determined(joined, 5));
}

TEST_CASE("a vertex without an edge is not determined, and no vertices are") {
  CHECK_FALSE(determined({{0, 1}, {1, 2}, {2, 0}}, 4));
  CHECK(determined({}, 0));
}

TEST_CASE("a quick median is the middle value, or lies between the two in the middle") {
  std::vector<double> odd{9, 1, 5};
  CHECK(quick_median(odd) == 5);
  std::vector<double> even{9, 1, 5, 2};
  CHECK(quick_median(even) == 3.5);
  std::vector<double> one{7};
  CHECK(quick_median(one) == 7);
}

TEST_CASE(
    "a robust deviation is 1.4826 times the median size, whatever the signs and the outliers") {
  CHECK(robust_deviation({-1, 2, 1000}) == Approx(2 * 1.482602218505602));
  CHECK(robust_deviation({-3, 1}) == Approx(2 * 1.482602218505602));
  CHECK(robust_deviation({0, 0, 5}) == 0);
}

TEST_CASE("few values make a MAD too small") {
  CHECK(small_sample_factor(4) == Approx(4 / 3.2));
  CHECK(small_sample_factor(1000) == Approx(1).epsilon(0.001));
}

TEST_CASE("an order follows from the numbers that are drawn, by Fisher and Yates") {
  struct Counting {
    static constexpr std::uint64_t max() { return UINT64_MAX; }
    std::uint64_t operator()() { return next++; }
    std::uint64_t next = 7;
  };
  Counting draw;
  // By hand: 7 % 4 = 3 leaves the last; 8 % 3 = 2 the one before; 9 % 2 = 1 the one before that.
  CHECK(random_order(4, draw) == std::vector<std::size_t>{0, 1, 2, 3});
  draw.next = 4;  // 4 % 4 = 0: 3 1 2 0; 5 % 3 = 2: as it is; 6 % 2 = 0: 1 3 2 0
  CHECK(random_order(4, draw) == std::vector<std::size_t>{1, 3, 2, 0});
  CHECK(random_order(0, draw).empty());
}

TEST_CASE("all orders are equally likely") {
  std::mt19937_64 random(1);
  std::map<std::vector<std::size_t>, int> seen;
  constexpr int draws = 24000;
  for (int i = 0; i < draws; ++i) ++seen[random_order(4, random)];
  CHECK(seen.size() == 24);
  // 1000 each; five standard deviations are 155.
  for (const auto& [order, times] : seen) CHECK(std::abs(times - draws / 24) < 155);
}

TEST_CASE("the variance of a sample has n - 1 in its denominator") {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(sample_mean(values) == Approx(5));
  CHECK(sample_variance(values) == Approx(32.0 / 7));
}

}  // namespace hockney
