#pragma once

#include <ostream>
#include <span>

#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney::report {

/// What the kernels of a launch or a campaign say: for each point first which way is fastest, how
/// much of the time is MPI's, what overlap wins, and what bounds it; then all ways. At the end
/// where points turn from bound by communication to bound by computing. Nothing without kernels.
void print_kernel_tables(std::ostream& out, std::span<const Record> records,
                         double level = default_level);

}  // namespace hockney::report
