#include "benchmarks/kernels/grid.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// Start of part `index` if `points` are divided into `parts`.
int begin_of(int points, int parts, int index) {
  return index * (points / parts) + std::min(index, points % parts);
}

Triple at(const Triple& extents, int position) {
  return {position / (extents[1] * extents[2]), position / extents[2] % extents[1],
          position % extents[2]};
}

int position_in(const Triple& extents, const Triple& place) {
  return (place[0] * extents[1] + place[1]) * extents[2] + place[2];
}

constexpr double source = 1;

/// A row of cells from its two neighbours in the row and those at distance `row`. One sum and one
/// product, so that compilers cannot fuse them in one place only, which would change bits.
void relax_in_plane(const double* __restrict from, double* __restrict to, int cells,
                    std::ptrdiff_t row) {
  constexpr double share = 0.25;
  for (int k = 0; k < cells; ++k) {
    to[k] = (from[k - 1] + from[k + 1] + from[k - row] + from[k + row] + source) * share;
  }
}

/// The same, with neighbours at distance `plane` too.
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

std::int64_t Grid::size() const {
  return std::int64_t{extents[0]} * std::int64_t{extents[1]} * std::int64_t{extents[2]};
}

Grid parse_grid(std::string_view what, const std::string& text) {
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() < 2 || parts.size() > 3) {
    throw InputError({fmt::format("bad value '{}' for {}", text, what),
                      "a grid has two or three dimensions", "write 64x32 or 64x64x32"});
  }
  Grid grid{.dimensions = static_cast<int>(parts.size())};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    grid.extents.at(grid.first() + i) = parse_count<int>(what, parts[i], 1);
  }
  return grid;
}

std::string text_of(const Grid& grid) {
  std::vector<std::string> parts;
  for (std::size_t i = grid.first(); i < 3; ++i)
    parts.push_back(std::to_string(grid.extents.at(i)));
  return join(parts, "x");
}

std::int64_t Box::size() const {
  std::int64_t cells = 1;
  for (std::size_t i = 0; i < 3; ++i) cells *= std::max(0, end.at(i) - begin.at(i));
  return cells;
}

Box common(const Box& a, const Box& b) {
  Box box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.begin.at(i) = std::max(a.begin.at(i), b.begin.at(i));
    box.end.at(i) = std::min(a.end.at(i), b.end.at(i));
  }
  return box;
}

Peeled peel(const Box& box, std::size_t first) {
  Peeled peeled{.interior = box, .rim = {}};
  Box& left = peeled.interior;
  for (std::size_t i = first; i < 3; ++i) {
    Box low = left;
    low.end.at(i) = std::min(low.begin.at(i) + 1, low.end.at(i));
    left.begin.at(i) = low.end.at(i);
    Box high = left;
    high.begin.at(i) = std::max(high.end.at(i) - 1, high.begin.at(i));
    left.end.at(i) = high.begin.at(i);
    for (const Box& side : {low, high}) {
      if (side.size() > 0) peeled.rim.push_back(side);
    }
  }
  return peeled;
}

Triple Decomposition::place_of(int position) const { return at(processes.extents, position); }

int Decomposition::position_of(const Triple& place) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (place.at(i) < 0 || place.at(i) >= processes.extents.at(i)) return -1;
  }
  return position_in(processes.extents, place);
}

Box Decomposition::block_at(int position) const {
  const Triple place = place_of(position);
  Box block;
  for (std::size_t i = 0; i < 3; ++i) {
    const int all = points.extents.at(i);
    const int parts = processes.extents.at(i);
    block.begin.at(i) = begin_of(all, parts, place.at(i));
    block.end.at(i) = begin_of(all, parts, place.at(i) + 1);
  }
  return block;
}

void check_decomposition(const Decomposition& decomposition) {
  const auto& [points, processes] = decomposition;
  if (points.dimensions != processes.dimensions) {
    throw InputError({fmt::format("{} points on {} processes", text_of(points), text_of(processes)),
                      "both have as many dimensions", "change --points or --grid"});
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (points.extents.at(i) >= processes.extents.at(i)) continue;
    throw InputError({fmt::format("{} points on {} processes", text_of(points), text_of(processes)),
                      "some processes would have none", "use more points, or another --grid"});
  }
}

std::vector<int> positions_of(const std::string& mapping, const Grid& processes) {
  std::vector<int> positions(static_cast<std::size_t>(processes.size()));
  std::iota(positions.begin(), positions.end(), 0);
  if (mapping == linear_mapping) return positions;
  const Grid tile = parse_grid("--mapping", mapping);
  Grid tiles = processes;
  for (std::size_t i = 0; i < 3; ++i) {
    if (tile.dimensions != processes.dimensions ||
        processes.extents.at(i) % tile.extents.at(i) != 0) {
      throw InputError(
          {fmt::format("bad value '{}' for --mapping", mapping),
           fmt::format("tiles of that size do not fill {} processes", text_of(processes)),
           "use linear, or a tile that divides each dimension"});
    }
    tiles.extents.at(i) /= tile.extents.at(i);
  }
  const auto in_tile = static_cast<int>(tile.size());
  for (std::size_t rank = 0; rank < positions.size(); ++rank) {
    Triple place = at(tiles.extents, static_cast<int>(rank) / in_tile);
    const Triple inside = at(tile.extents, static_cast<int>(rank) % in_tile);
    for (std::size_t i = 0; i < 3; ++i) {
      place.at(i) = place.at(i) * tile.extents.at(i) + inside.at(i);
    }
    positions[rank] = position_in(processes.extents, place);
  }
  return positions;
}

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
