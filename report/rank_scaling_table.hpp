#pragma once

#include <ostream>
#include <vector>

#include "models/collectives/rank_scaling.hpp"

namespace hockney::report {

/// What starting costs by number of ranks: the terms of each model with their intervals over
/// launches, times in us, memory in KiB; nothing where there is none.
void print_rank_scalings(std::ostream& out, const std::vector<collectives::Scaling>& scalings);

}  // namespace hockney::report
