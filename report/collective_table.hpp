#pragma once

#include <ostream>
#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/prediction.hpp"

namespace hockney {

/// The channels of the network [ns/B]; per algorithm the form that was chosen, its parameters [us,
/// ns/B] with intervals for each segment of sizes, its errors [%], and what else was tried. Nothing
/// when there are no fits.
void print_collective_fits(std::ostream& out, const CollectiveFits& fits);

/// A line for each number of ranks and bytes: time with interval, held-out error, and how it was
/// found.
void print_prediction_table(std::ostream& out, const CollectiveQuestion& question,
                            const std::vector<PredictedTime>& rows);

}  // namespace hockney
