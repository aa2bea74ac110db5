#include "benchmarks/kernels/grid.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

#include "core/error.hpp"

namespace hockney::benchmarks::kernels {
namespace {

TEST_CASE("grids are written with two or three numbers") {
  CHECK(parse_grid("--grid", "3x4") == Grid{.dimensions = 2, .extents = {1, 3, 4}});
  CHECK(parse_grid("--grid", "2x3x4") == Grid{.dimensions = 3, .extents = {2, 3, 4}});
  CHECK(text_of(parse_grid("--grid", "2x3x4")) == "2x3x4");
  CHECK(text_of(parse_grid("--grid", "16x1")) == "16x1");
  CHECK(parse_grid("--grid", "2x3x4").size() == 24);
  for (const char* const text : {"4", "2x2x2x2", "2x", "0x2", "axb", ""}) {
    INFO(text);
    CHECK_THROWS_AS(parse_grid("--grid", text), InputError);
  }
}

TEST_CASE("blocks cover the points once, and the first ones have those that are left over") {
  const Decomposition decomposition{.points = parse_grid("", "7x5"),
                                    .processes = parse_grid("", "3x2")};
  CHECK(decomposition.block_at(0) == Box{{0, 0, 0}, {1, 3, 3}});
  CHECK(decomposition.block_at(1) == Box{{0, 0, 3}, {1, 3, 5}});
  CHECK(decomposition.block_at(2) == Box{{0, 3, 0}, {1, 5, 3}});
  CHECK(decomposition.block_at(5) == Box{{0, 5, 3}, {1, 7, 5}});
  std::int64_t points = 0;
  for (int position = 0; position < 6; ++position)
    points += decomposition.block_at(position).size();
  CHECK(points == 35);
  CHECK(decomposition.place_of(3) == Triple{0, 1, 1});
  CHECK(decomposition.position_of({0, 1, 1}) == 3);
  CHECK(decomposition.position_of({0, 3, 0}) == -1);
  CHECK(decomposition.position_of({0, 0, -1}) == -1);
}

TEST_CASE("processes without points are refused, and grids of different dimensions") {
  const auto check = [](const char* points, const char* processes) {
    check_decomposition({.points = parse_grid("", points), .processes = parse_grid("", processes)});
  };
  CHECK_NOTHROW(check("4x1", "4x1"));
  CHECK_THROWS_AS(check("3x8", "4x1"), InputError);
  CHECK_THROWS_AS(check("8x8", "2x2x1"), InputError);
}

TEST_CASE("a mapping gives every rank one position") {
  const Grid processes = parse_grid("", "4x6");
  const std::vector<int> linear = positions_of("linear", processes);
  CHECK(linear.front() == 0);
  CHECK(linear.back() == 23);
  // Tiles of two rows and three columns: six ranks each, the first at rows 0 and 1, columns 0 to 2.
  const std::vector<int> tiles = positions_of("2x3", processes);
  CHECK(std::vector<int>(tiles.begin(), tiles.begin() + 8) ==
        std::vector<int>{0, 1, 2, 6, 7, 8, 3, 4});
  CHECK(std::set<int>(tiles.begin(), tiles.end()).size() == 24);
  CHECK(positions_of("1x6", processes) == linear);
  CHECK_THROWS_AS(positions_of("3x3", processes), InputError);
  CHECK_THROWS_AS(positions_of("1x2x3", processes), InputError);
}

/// A cell of a grid that is not there has no neighbours: these figures are of the issue that asked
/// for mappings, edges between nodes of 24 ranks.
TEST_CASE("tiles of 6x4 cut 120 edges of 24x16 processes, rows 248") {
  const Grid processes = parse_grid("", "24x16");
  const Decomposition grid{.points = processes, .processes = processes};
  const auto cut = [&](const char* mapping) {
    const std::vector<int> positions = positions_of(mapping, processes);
    std::vector<int> node(positions.size());
    for (std::size_t rank = 0; rank < positions.size(); ++rank) {
      node[static_cast<std::size_t>(positions[rank])] = static_cast<int>(rank) / 24;
    }
    int edges = 0;
    for (int position = 0; position < 384; ++position) {
      const Triple place = grid.place_of(position);
      for (const Triple& next : {Triple{0, place[1] + 1, place[2]}, {0, place[1], place[2] + 1}}) {
        const int other = grid.position_of(next);
        if (other < 0) continue;
        edges += node[static_cast<std::size_t>(position)] != node[static_cast<std::size_t>(other)];
      }
    }
    return edges;
  };
  CHECK(cut("6x4") == 120);
  CHECK(cut("linear") == 248);
}

TEST_CASE("a box is its interior and its rim, each cell once") {
  for (const Triple& extents : {Triple{1, 4, 5}, {1, 1, 5}, {1, 2, 2}, {3, 4, 5}, {1, 1, 1}}) {
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
      const Box box{{0, 0, 0}, extents};
      const Peeled peeled = peel(box, first);
      std::int64_t cells = peeled.interior.size();
      for (const Box& side : peeled.rim) {
        cells += side.size();
        CHECK(common(side, peeled.interior).size() == 0);
        for (const Box& other : peeled.rim) {
          CHECK((other == side || common(side, other).size() == 0));
        }
      }
      CHECK(cells == box.size());
    }
  }
  CHECK(peel({{0, 0, 0}, {1, 4, 5}}, 1).interior == Box{{0, 1, 1}, {1, 3, 4}});
}

}  // namespace
}  // namespace hockney::benchmarks::kernels
