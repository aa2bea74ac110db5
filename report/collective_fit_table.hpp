#pragma once

#include <ostream>

#include "models/collectives/collective_fit.hpp"

namespace hockney {

/// The channels of the network [ns/B]; per algorithm the form that was chosen, its parameters [us,
/// ns/B] with intervals for each segment of sizes, its errors [%], and what else was tried. Nothing
/// when there are no fits.
void print_collective_fits(std::ostream& out, const CollectiveFits& fits);

}  // namespace hockney
