#pragma once

#include <ostream>
#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/rank_scaling.hpp"
#include "models/fit_set.hpp"
#include "models/loggp.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// The parameters of every pair with a LogGP measurement.
View view_of(const std::vector<models::LogGp>& models);

/// A row for each segment: alpha, beta, bandwidth 1/beta and n_half = alpha/beta with intervals.
/// Text lines have the names of curves, their errors, breakpoints and warnings, and curves without
/// a fit.
View view_of(const models::FitSet& set);

/// The channels of the network [ns/B]. For each algorithm: the chosen form, its parameters [us,
/// ns/B] with intervals for each segment of sizes, its errors [%], and the candidate forms. Prints
/// nothing without fits.
void print_collective_fits(std::ostream& out, const collectives::Fits& fits);

/// "allreduce algorithm=ring", escaped: names the collective of a model.
std::string collective_title(const collectives::Curve& curve);

/// A row for each of the first ten models: alpha of the first segment, bandwidth of the last one,
/// errors. The last line has the number of further models (--all).
View summary_of(const models::FitSet& set, const std::vector<models::LogGp>& loggp,
                const collectives::Fits& fits);

/// "16 ranks, 8 B: 3.28 us (2.14 .. 5.01)".
std::string prediction_text(const collectives::PredictedTime& row);

/// A row for each number of ranks and bytes: time with interval, held-out error, model.
View view_of(const std::vector<collectives::PredictedTime>& rows);

/// Start-up costs by number of ranks: the terms of each model with intervals over launches; times
/// in us, memory in KiB. Prints nothing without `scalings`.
void print_rank_scalings(std::ostream& out, const std::vector<collectives::Scaling>& scalings);

}  // namespace hockney::report
