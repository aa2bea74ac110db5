#pragma once

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "application/analysis/replay.hpp"
#include "application/projection/projection.hpp"
#include "core/text.hpp"

namespace hockney::projection {

/// Kernels whose decomposition is known (docs/reference/operations.md).
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

/// What computing takes, as launches of the kernel found it where it was done alone.
struct UnitCost {
  double seconds = 0;  ///< of a point, or a flop: the median over launches
  std::optional<Interval> interval_seconds;
  double units = 0;  ///< of the block that it was measured with: the nearest to what is asked
  std::size_t launches = 0;
};

/// Of the block with the nearest number of units; nullopt where no record has the kernel.
std::optional<UnitCost> unit_cost(std::span<const Record> records, Kernel kernel, double units);

/// A kernel at a number of ranks.
struct KernelPrediction {
  std::vector<int> grid;
  double seconds = 0;  ///< of an iteration, or a product
  Range range;         ///< both ends of the intervals of models and computing
  double computing_seconds = 0;
  UnitCost cost;
};

/// By a replay of a few iterations on the models of the machine, on these hosts. InputError for
/// distances that were not measured, and where no record has the kernel.
KernelPrediction predict_kernel(const KernelSetup& setup, const Machine& machine,
                                const std::vector<std::string>& hosts,
                                std::span<const Record> records);

}  // namespace hockney::projection
