#include "core/pair_graph.hpp"

#include <catch2/catch.hpp>
#include <vector>

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

}  // namespace hockney
