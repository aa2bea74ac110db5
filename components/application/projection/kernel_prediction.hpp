#pragma once

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "components/application/analysis/trace_analysis.hpp"
#include "components/application/projection/projection.hpp"
#include "core/text.hpp"

namespace hockney::projection {

/// Kernels with a known decomposition (docs/reference/operations.md).
enum class Kernel { halo, cannon };

constexpr auto words_of(std::type_identity<Kernel>) {
  return std::to_array<std::string_view>({"halo", "cannon"});
}

/// A kernel, its size, and the grid of its ranks, numbered row by row.
struct KernelSetup {
  Kernel kernel = Kernel::halo;
  std::vector<int> extents;  ///< points along each dimension; rows and columns of matrices
  std::vector<int> grid;     ///< ranks along each dimension
};

/// The grid of `ranks` ranks whose blocks have the smallest boundary; a square grid for Cannon's
/// product. InputError if no grid of these ranks exists, or a dimension has more ranks than points.
std::vector<int> usual_grid(Kernel kernel, const std::vector<int>& extents, int ranks);

/// Program of `iterations` iterations, or products: nonblocking messages, then computing. No other
/// variant of the kernels is modelled.
models::Program kernel_program(const KernelSetup& setup, int iterations, double seconds_per_unit);

/// Computing time per unit, from launches of the kernel that computed without messages.
struct UnitCost {
  double seconds = 0;  ///< per point, or per flop: median over launches
  std::optional<Interval> interval_seconds;
  double units = 0;  ///< of the measured block, the nearest to the requested one
  std::size_t launches = 0;
};

/// For the block with the nearest number of units; nullopt if no record has the kernel.
std::optional<UnitCost> unit_cost(std::span<const Record> records, Kernel kernel, double units);

/// Predicted time of a kernel at a number of ranks.
struct KernelPrediction {
  std::vector<int> grid;
  double seconds = 0;  ///< of an iteration, or of a product
  Range range;         ///< from the intervals of models and computing
  double computing_seconds = 0;
  UnitCost cost;
};

/// Replays a few iterations on the models of the machine, with ranks on `hosts`. InputError if a
/// distance was not measured, or if no record has the kernel.
KernelPrediction predict_kernel(const KernelSetup& setup, const Machine& machine,
                                const std::vector<std::string>& hosts,
                                std::span<const Record> records);

}  // namespace hockney::projection
