#pragma once

#include <type_traits>
#include <vector>

#include "core/words.hpp"
#include "application/analysis/happens_before.hpp"

namespace hockney::projection {

/// Kernels whose decomposition is known (docs/kernels.md).
enum class Kernel { halo, cannon };

constexpr auto words_of(std::type_identity<Kernel>) {
  return std::to_array<std::string_view>({"halo", "cannon"});
}

/// A kernel at a size, on a grid of ranks that are numbered row by row.
struct KernelSetup {
  Kernel kernel = Kernel::halo;
  std::vector<int> extents;  ///< points along each dimension; rows and columns of matrices
  std::vector<int> grid;     ///< ranks along each dimension
};

/// What the rank that computes the most does in an iteration: points of its block; flops of all
/// products of its blocks.
double units_of(const KernelSetup& setup);

/// The grid of so many ranks whose blocks have the least boundary; of the square for Cannon's
/// product. InputError for ranks that make none, and for more of them than points in a row.
std::vector<int> usual_grid(Kernel kernel, const std::vector<int>& extents, int ranks);

/// So many iterations, or products, with immediate messages and computing afterwards. The only way
/// of the kernel that is known here.
applications::HappensBefore kernel_program(const KernelSetup& setup, int iterations,
                                           double seconds_per_unit);

}  // namespace hockney::projection
