#pragma once

#include <ostream>
#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/rank_scaling.hpp"
#include "models/fit_set.hpp"
#include "models/loggp.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// The parameters of every pair that LogGP was measured for.
View view_of(const std::vector<models::LogGp>& models);

/// A row for each segment: alpha, beta, bandwidth 1/beta and n_half = alpha/beta with intervals.
/// Lines of text name the curves and say their errors, breakpoints, warnings, and the curves that
/// could not be fitted.
View view_of(const models::FitSet& set);

/// The channels of the network [ns/B]; per algorithm the form that was chosen, its parameters [us,
/// ns/B] with intervals for each segment of sizes, its errors [%], and what else was tried. Nothing
/// when there are no fits.
void print_collective_fits(std::ostream& out, const collectives::Fits& fits);

/// "allreduce algorithm=ring", inert: what a model of a collective is of.
std::string collective_title(const collectives::Curve& curve);

/// A row for each of the first ten models: alpha of the first segment, bandwidth of the last one,
/// errors; and how many more there are (--all).
View summary_of(const models::FitSet& set, const std::vector<models::LogGp>& loggp,
                const collectives::Fits& fits);

/// A row for each number of ranks and bytes: time with interval, held-out error, model.
View view_of(const std::vector<collectives::PredictedTime>& rows);

/// What starting costs by number of ranks: the terms of each model with their intervals over
/// launches, times in us, memory in KiB; nothing where there is none.
void print_rank_scalings(std::ostream& out, const std::vector<collectives::Scaling>& scalings);

}  // namespace hockney::report
