#pragma once

#include <ostream>
#include <vector>

#include "models/fit_set.hpp"
#include "models/loggp.hpp"

namespace hockney {

/// LogGP of every pair that was measured for it; nothing when none was.
void print_loggp_table(std::ostream& out, const std::vector<LogGp>& models);

/// Per curve a header, one row per segment in fixed columns with alpha
/// [us], bandwidth 1/beta [GB/s = 1e9 B/s] and their intervals, beta [ns/B] and n_half = alpha/beta
/// [B], then the errors [%] and what to know before believing them. Curves that could not be fitted
/// follow with the reason.
void print_fit_table(std::ostream& out, const FitSet& set);

}  // namespace hockney
