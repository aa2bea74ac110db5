#pragma once

#include <ostream>
#include <vector>

#include "models/collectives/prediction.hpp"

namespace hockney {

/// A line for each number of ranks and bytes: time with interval, held-out error, and how it was
/// found.
void print_prediction_table(std::ostream& out, const CollectiveQuestion& question,
                            const std::vector<PredictedTime>& rows);

}  // namespace hockney
