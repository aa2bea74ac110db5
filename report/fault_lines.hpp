#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/faults.hpp"

namespace hockney::report {

/// A sentence for each fault, the worst first, which stands before everything else on a screen.
std::vector<std::string> fault_lines(std::span<const FaultFinding> faults);

/// These lines, each with an empty one behind it.
void print_faults(std::ostream& out, std::span<const FaultFinding> faults);

}  // namespace hockney::report
