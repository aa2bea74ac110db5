#include "benchmarks/kernels/stencil.hpp"

#include <catch2/catch.hpp>
#include <map>

namespace hockney::benchmarks::kernels {
namespace {

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
