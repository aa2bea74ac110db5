#include "benchmarks/kernels/grid.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::kernels {
namespace {

/// Of `points` in `parts`, where part `index` begins.
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

}  // namespace

std::int64_t Grid::size() const {
  return std::int64_t{extents[0]} * std::int64_t{extents[1]} * std::int64_t{extents[2]};
}

Grid parse_grid(std::string_view what, const std::string& text) {
  const std::vector<std::string> parts = split(text, 'x');
  if (parts.size() < 2 || parts.size() > 3) {
    throw InputError({"bad value '" + text + "' for " + std::string(what),
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
    throw InputError({text_of(points) + " points on " + text_of(processes) + " processes",
                      "both have as many dimensions", "change --points or --grid"});
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (points.extents.at(i) >= processes.extents.at(i)) continue;
    throw InputError({text_of(points) + " points on " + text_of(processes) + " processes",
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
      throw InputError({"bad value '" + mapping + "' for --mapping",
                        "tiles of that size do not fill " + text_of(processes) + " processes",
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

}  // namespace hockney::benchmarks::kernels
