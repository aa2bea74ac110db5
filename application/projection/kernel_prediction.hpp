#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "application/projection/kernel_program.hpp"
#include "application/projection/projection.hpp"

namespace hockney::projection {

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
