#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>

#include "benchmarks/kernels/grid.hpp"
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

TEST_CASE("a step is the mean of the neighbours and the source") {
  // One row of two points, in the plane: each has the other as its only neighbour.
  const Layout layout({{0, 0, 0}, {1, 1, 2}}, 2);
  CHECK(layout.cells() == 12);
  std::vector<double> from(layout.cells(), 0.0);
  std::vector<double> to(layout.cells(), 0.0);
  from[layout.index({0, 0, 0})] = 3;
  from[layout.index({0, 0, 1})] = 7;
  relax(layout, from.data(), to.data(), layout.inner());
  CHECK(to[layout.index({0, 0, 0})] == 2);  // (7 + 1) / 4
  CHECK(to[layout.index({0, 0, 1})] == 1);  // (3 + 1) / 4
  // The same in space, where a cell has six neighbours.
  const Layout space({{0, 0, 0}, {1, 1, 2}}, 3);
  CHECK(space.cells() == 36);
  from.assign(space.cells(), 0.0);
  to.assign(space.cells(), 0.0);
  from[space.index({0, 0, 0})] = 5;
  from[space.index({-1, 0, 1})] = 12;
  relax(space, from.data(), to.data(), space.inner());
  CHECK(to[space.index({0, 0, 1})] == Approx(3));  // (5 + 12 + 1) / 6
}

TEST_CASE("the field stands still where it solves the equation") {
  // 4 u(i) = the sum of the neighbours + 1 for u(i, j) = -i^2 / 2 on any stripe without ends.
  const Layout layout({{0, 0, 0}, {1, 6, 4}}, 2);
  std::vector<double> from(layout.cells(), 0.0);
  for_each_cell({{0, -1, -1}, {1, 7, 5}},
                [&](const Triple& cell) { from[layout.index(cell)] = -0.5 * cell[1] * cell[1]; });
  std::vector<double> to(layout.cells(), 0.0);
  relax(layout, from.data(), to.data(), layout.inner());
  for_each_cell(layout.inner(), [&](const Triple& cell) {
    CHECK(to[layout.index(cell)] == -0.5 * cell[1] * cell[1]);
  });
}

/// The same written once more, cell by cell, in another way of keeping them.
std::map<Triple, double> solved(const Start& start, const Box& domain, int steps) {
  std::map<Triple, double> field;
  for_each_cell(domain, [&](const Triple& point) { field[point] = start.at(point); });
  for (int step = 0; step < steps; ++step) {
    std::map<Triple, double> next;
    const auto at = [&](Triple point, std::size_t dimension, int away) {
      point.at(dimension) += away;
      const auto found = field.find(point);
      return found == field.end() ? 0.0 : found->second;
    };
    for_each_cell(domain, [&](const Triple& point) {
      double sum = at(point, 2, -1) + at(point, 2, 1) + at(point, 1, -1) + at(point, 1, 1);
      if (start.points.dimensions == 3) sum = sum + at(point, 0, -1) + at(point, 0, 1);
      next[point] = (sum + 1) * (start.points.dimensions == 2 ? 0.25 : 1.0 / 6);
    });
    field = next;
  }
  return field;
}

TEST_CASE("the serial solution of a part is that part of the whole solution") {
  for (const char* const points : {"9x8", "5x6x7"}) {
    const Start start{.points = parse_grid("", points), .seed = 5};
    const Box all{{0, 0, 0}, start.points.extents};
    for (const int steps : {0, 1, 4, 11}) {
      const std::map<Triple, double> expected = solved(start, all, steps);
      const Box part = common(all, {{0, 3, 2}, {1, 6, 5}});
      const std::vector<double> found = serial_solution(start, all, part, steps);
      REQUIRE(found.size() == static_cast<std::size_t>(part.size()));
      std::size_t next = 0;
      for_each_cell(part, [&](const Triple& point) { CHECK(found[next++] == expected.at(point)); });
    }
  }
}

TEST_CASE("another seed is another field") {
  const Start start{.points = parse_grid("", "4x4"), .seed = 1};
  Start other = start;
  other.seed = 2;
  CHECK(start.at({0, 1, 2}) != other.at({0, 1, 2}));
  CHECK(start.at({0, 1, 2}) != start.at({0, 2, 1}));
  CHECK((start.at({0, 3, 3}) >= 0 && start.at({0, 3, 3}) < 1));
}

}  // namespace
}  // namespace hockney::benchmarks::kernels
