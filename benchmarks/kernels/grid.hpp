#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hockney::benchmarks::kernels {

/// Numbers of planes, rows and columns. In two dimensions there is one plane.
using Triple = std::array<int, 3>;

/// Points, or processes, in two or three dimensions.
struct Grid {
  int dimensions = 2;
  Triple extents{1, 1, 1};

  [[nodiscard]] std::int64_t size() const;
  /// Index of the first number that counts: 1 in two dimensions, 0 in three.
  [[nodiscard]] std::size_t first() const { return static_cast<std::size_t>(3 - dimensions); }

  friend bool operator==(const Grid&, const Grid&) = default;
};

/// "256x128" (rows, columns) or "64x64x32" (planes, rows, columns); InputError naming `what`
/// otherwise.
Grid parse_grid(std::string_view what, const std::string& text);
std::string text_of(const Grid& grid);
inline std::string parameter_text(const Grid& grid) { return text_of(grid); }

/// Cells from `begin` to `end`, without `end`.
struct Box {
  Triple begin{};
  Triple end{};

  [[nodiscard]] std::int64_t size() const;

  friend bool operator==(const Box&, const Box&) = default;
};

/// The cells that both boxes have.
Box common(const Box& a, const Box& b);

/// A box without its outermost cells in the dimensions from `first` on, and these outermost cells
/// in disjoint pieces.
struct Peeled {
  Box interior;
  std::vector<Box> rim;
};
Peeled peel(const Box& box, std::size_t first);

/// Points in blocks, one for each process. If the division has a remainder, the first blocks of a
/// dimension have one point more.
struct Decomposition {
  Grid points;
  Grid processes;

  /// Positions count along columns first, as in MPI_Cart_create.
  [[nodiscard]] Triple place_of(int position) const;
  /// -1 outside of the grid, which is not periodic.
  [[nodiscard]] int position_of(const Triple& place) const;
  [[nodiscard]] Box block_at(int position) const;
};

/// InputError if a process has no point, or if the grids have different dimensions.
void check_decomposition(const Decomposition& decomposition);

/// The mapping that gives rank r the position r.
inline constexpr std::string_view linear_mapping = "linear";

/// The position of each rank. A mapping is "linear", or a tile such as "6x4": consecutive ranks
/// fill one tile after the other, so that the ranks of a node are close together. InputError for a
/// tile that does not divide the processes.
std::vector<int> positions_of(const std::string& mapping, const Grid& processes);

/// Layout of a block in memory, with a layer of ghost cells around it: in each dimension, cell -1
/// and the cell after the last are ghosts. In two dimensions there are no ghosts before and after
/// the plane.
class Layout {
 public:
  Layout(const Box& block, int dimensions);

  [[nodiscard]] Box inner() const { return {{0, 0, 0}, extents_}; }
  [[nodiscard]] int dimensions() const { return dimensions_; }
  [[nodiscard]] std::size_t cells() const;  ///< with ghosts
  /// Size of the memory, with ghosts.
  [[nodiscard]] const Triple& padded() const { return padded_; }
  /// Ghosts before the first cell of a dimension.
  [[nodiscard]] int ghosts(std::size_t dimension) const {
    return dimension == 0 && dimensions_ == 2 ? 0 : 1;
  }
  [[nodiscard]] std::size_t index(const Triple& cell) const;
  [[nodiscard]] std::ptrdiff_t plane() const { return std::ptrdiff_t{padded_[1]} * padded_[2]; }
  [[nodiscard]] std::ptrdiff_t row() const { return padded_[2]; }

 private:
  int dimensions_;
  Triple extents_{};
  Triple padded_{};
};

/// One step of Jacobi's iteration for Poisson's equation on the cells of a box: the mean of the
/// neighbours and the source. The source is 1 everywhere (times the square of the distance of
/// points). The step reads the cells beside the box. A cell gets the same bits in any box.
void relax(const Layout& layout, const double* from, double* to, const Box& box);

/// Floating-point operations of relax() on a cell.
inline double flops_of_cell(int dimensions) { return 2 * dimensions + 1; }

/// The field before the first step: a random number between 0 and 1 for each point, and 0 outside
/// of the grid.
struct Start {
  Grid points;
  std::uint64_t seed = 0;

  [[nodiscard]] double at(const Triple& point) const;
};

/// The field on the points of `wanted` after some steps, computed without neighbour processes on
/// the part of `domain` that can affect them. Points outside of `domain` are 0.
std::vector<double> serial_solution(const Start& start, const Box& domain, const Box& wanted,
                                    int steps);

/// Calls `visit` with each cell of a box, in the order of memory.
template <class Visit>
void for_each_cell(const Box& box, Visit visit) {
  for (int i = box.begin[0]; i < box.end[0]; ++i) {
    for (int j = box.begin[1]; j < box.end[1]; ++j) {
      for (int k = box.begin[2]; k < box.end[2]; ++k) visit(Triple{i, j, k});
    }
  }
}

/// Converts a box or cell to another origin: to numbers of the grid if `origin` is the block's
/// first point.
Triple moved(const Triple& cell, const Triple& origin);
Box moved(const Box& box, const Triple& origin);
Triple negative(const Triple& origin);

}  // namespace hockney::benchmarks::kernels
