#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/kernel_rows.hpp"

namespace hockney::report {

/// What the kernels of a launch or a campaign say, in lines: for each point which way is fastest,
/// how much of the time is MPI's, what overlap wins, and what bounds it; at the end where points
/// turn from bound by communication to bound by computing. No lines without kernels.
std::vector<std::string> kernel_answer(std::span<const KernelPoint> points);

/// The same, and then all ways at each point.
void print_kernel_tables(std::ostream& out, std::span<const KernelPoint> points);

}  // namespace hockney::report
