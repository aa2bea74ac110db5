#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "benchmarks/kernels/grid.hpp"

namespace hockney::benchmarks::kernels {

/// Where the cells of a block lie in memory, with a layer of ghost cells around them: cell -1 of a
/// dimension is a ghost, and so is the one after the last. In two dimensions there are none before
/// and behind the plane.
class Layout {
 public:
  Layout(const Box& block, int dimensions);

  [[nodiscard]] Box inner() const { return {{0, 0, 0}, extents_}; }
  [[nodiscard]] int dimensions() const { return dimensions_; }
  [[nodiscard]] std::size_t cells() const;  ///< with the ghosts
  /// Of memory, ghosts included.
  [[nodiscard]] const Triple& padded() const { return padded_; }
  /// How many ghosts lie before the first cell of a dimension.
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

/// One step of Jacobi's iteration for Poisson's equation with a source of 1 (times the square of
/// the distance of points) everywhere, on the cells of a box: the mean of the neighbours and the
/// source. It needs the cells beside the box, and gives the same bits whichever box a cell is
/// computed in.
void relax(const Layout& layout, const double* from, double* to, const Box& box);

/// Floating-point operations of relax() on a cell.
inline double flops_of_cell(int dimensions) { return 2 * dimensions + 1; }

/// The field before the first step: drawn for each point, between 0 and 1. Outside of the grid it
/// is 0 throughout.
struct Start {
  Grid points;
  std::uint64_t seed = 0;

  [[nodiscard]] double at(const Triple& point) const;
};

/// The field on the points of `wanted` after some steps without any neighbour process: of the part
/// of `domain` from which anything can have come there. Points outside of `domain` are 0
/// throughout.
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

/// A box, or a cell, in the numbers of another origin: those of the grid where `origin` is the
/// first point of the block.
Triple moved(const Triple& cell, const Triple& origin);
Box moved(const Box& box, const Triple& origin);
Triple negative(const Triple& origin);

}  // namespace hockney::benchmarks::kernels
