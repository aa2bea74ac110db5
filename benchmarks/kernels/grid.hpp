#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::benchmarks::kernels {

/// A number for planes, rows and columns. Where there are two dimensions only, there is one plane.
using Triple = std::array<int, 3>;

/// Points, or processes, in two or three dimensions.
struct Grid {
  int dimensions = 2;
  Triple extents{1, 1, 1};

  [[nodiscard]] std::int64_t size() const;
  /// The first of the three numbers that counts: 1 in two dimensions, 0 in three.
  [[nodiscard]] std::size_t first() const { return static_cast<std::size_t>(3 - dimensions); }

  friend bool operator==(const Grid&, const Grid&) = default;
};

/// "256x128" (rows, columns) or "64x64x32" (planes, rows, columns); InputError naming `what`
/// otherwise.
Grid parse_grid(std::string_view what, const std::string& text);
std::string text_of(const Grid& grid);
inline std::string parameter_text(const Grid& grid) { return text_of(grid); }

/// Cells from `begin` up to, but without, `end`.
struct Box {
  Triple begin{};
  Triple end{};

  [[nodiscard]] std::int64_t size() const;

  friend bool operator==(const Box&, const Box&) = default;
};

/// The cells of two boxes that both have.
Box common(const Box& a, const Box& b);

/// A box without its outermost cells in the dimensions from `first` on, and these in pieces that do
/// not meet.
struct Peeled {
  Box interior;
  std::vector<Box> rim;
};
Peeled peel(const Box& box, std::size_t first);

/// Points in blocks, one for each process. Where they do not divide, the first blocks of a
/// dimension have one more.
struct Decomposition {
  Grid points;
  Grid processes;

  /// Places count along columns first, as ranks of MPI_Cart_create do.
  [[nodiscard]] Triple place_of(int position) const;
  /// -1 outside of the grid, which has open edges.
  [[nodiscard]] int position_of(const Triple& place) const;
  [[nodiscard]] Box block_at(int position) const;
};

/// Whether every process gets a point; InputError where one does not, and for grids of different
/// dimensions.
void check_decomposition(const Decomposition& decomposition);

/// The mapping that gives rank r position r.
inline constexpr std::string_view linear_mapping = "linear";

/// The position of each rank. A mapping is "linear", or a tile such as "6x4": consecutive ranks
/// fill one tile after the other, so that the ranks of a node are near to each other. InputError
/// for a tile that does not divide the processes.
std::vector<int> positions_of(const std::string& mapping, const Grid& processes);

}  // namespace hockney::benchmarks::kernels
