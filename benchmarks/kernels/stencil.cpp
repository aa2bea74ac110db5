#include "benchmarks/kernels/stencil.hpp"

#include <algorithm>

namespace hockney::benchmarks::kernels {
namespace {

constexpr double source = 1;

/// A row of cells: from the two neighbours in it, and those `row` away. A sum and one product, so
/// that no compiler can fuse them in one place and not in another.
void relax_in_plane(const double* __restrict from, double* __restrict to, int cells,
                    std::ptrdiff_t row) {
  constexpr double share = 0.25;
  for (int k = 0; k < cells; ++k) {
    to[k] = (from[k - 1] + from[k + 1] + from[k - row] + from[k + row] + source) * share;
  }
}

/// The same, and `plane` away.
void relax_in_space(const double* __restrict from, double* __restrict to, int cells,
                    std::ptrdiff_t row, std::ptrdiff_t plane) {
  constexpr double share = 1.0 / 6;
  for (int k = 0; k < cells; ++k) {
    to[k] = (from[k - 1] + from[k + 1] + from[k - row] + from[k + row] + from[k - plane] +
             from[k + plane] + source) *
            share;
  }
}

/// Finaliser of splitmix64: neighbouring numbers give unrelated words.
std::uint64_t scrambled(std::uint64_t word) {
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31U);
}

}  // namespace

Layout::Layout(const Box& block, int dimensions) : dimensions_(dimensions) {
  for (std::size_t i = 0; i < 3; ++i) {
    extents_.at(i) = block.end.at(i) - block.begin.at(i);
    padded_.at(i) = extents_.at(i) + 2 * ghosts(i);
  }
}

std::size_t Layout::cells() const {
  return static_cast<std::size_t>(padded_[0]) * static_cast<std::size_t>(plane());
}

std::size_t Layout::index(const Triple& cell) const {
  return static_cast<std::size_t>((cell[0] + ghosts(0)) * plane() + (cell[1] + 1) * row() +
                                  cell[2] + 1);
}

void relax(const Layout& layout, const double* from, double* to, const Box& box) {
  const int cells = box.end[2] - box.begin[2];
  for (int i = box.begin[0]; i < box.end[0]; ++i) {
    for (int j = box.begin[1]; j < box.end[1]; ++j) {
      const std::size_t first = layout.index({i, j, box.begin[2]});
      if (layout.dimensions() == 2) {
        relax_in_plane(from + first, to + first, cells, layout.row());
      } else {
        relax_in_space(from + first, to + first, cells, layout.row(), layout.plane());
      }
    }
  }
}

double Start::at(const Triple& point) const {
  const auto index =
      (static_cast<std::uint64_t>(point[0]) * static_cast<std::uint64_t>(points.extents[1]) +
       static_cast<std::uint64_t>(point[1])) *
          static_cast<std::uint64_t>(points.extents[2]) +
      static_cast<std::uint64_t>(point[2]);
  constexpr double to_unit = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>(scrambled(scrambled(seed) + index) >> 11U) * to_unit;
}

std::vector<double> serial_solution(const Start& start, const Box& domain, const Box& wanted,
                                    int steps) {
  Box region = wanted;
  for (std::size_t i = start.points.first(); i < 3; ++i) {
    region.begin.at(i) -= steps;
    region.end.at(i) += steps;
  }
  region = common(region, domain);
  const Layout layout(region, start.points.dimensions);
  std::vector<double> now(layout.cells(), 0.0);
  for_each_cell(region, [&](const Triple& point) {
    now[layout.index(moved(point, negative(region.begin)))] = start.at(point);
  });
  std::vector<double> next(layout.cells(), 0.0);
  for (int step = 0; step < steps; ++step) {
    relax(layout, now.data(), next.data(), layout.inner());
    std::swap(now, next);
  }
  std::vector<double> solution;
  for_each_cell(moved(wanted, negative(region.begin)),
                [&](const Triple& cell) { solution.push_back(now[layout.index(cell)]); });
  return solution;
}

Triple moved(const Triple& cell, const Triple& origin) {
  return {cell[0] + origin[0], cell[1] + origin[1], cell[2] + origin[2]};
}

Box moved(const Box& box, const Triple& origin) {
  return {moved(box.begin, origin), moved(box.end, origin)};
}

Triple negative(const Triple& origin) { return {-origin[0], -origin[1], -origin[2]}; }

}  // namespace hockney::benchmarks::kernels
