#pragma once

#include <ostream>
#include <vector>

#include "models/loggp.hpp"

namespace hockney {

/// LogGP of every pair that was measured for it; nothing when none was.
void print_loggp_table(std::ostream& out, const std::vector<LogGp>& models);

}  // namespace hockney
