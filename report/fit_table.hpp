#pragma once

#include <ostream>
#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/rank_scaling.hpp"
#include "models/fit_set.hpp"
#include "models/loggp.hpp"

namespace hockney::report {

/// LogGP of every pair that was measured for it; nothing when none was.
void print_loggp_table(std::ostream& out, const std::vector<models::LogGp>& models);

/// Per curve a header, one row per segment in fixed columns with alpha
/// [us], bandwidth 1/beta [GB/s = 1e9 B/s] and their intervals, beta [ns/B] and n_half = alpha/beta
/// [B], then the errors [%] and what to know before believing them. Curves that could not be fitted
/// follow with the reason.
void print_fit_table(std::ostream& out, const models::FitSet& set);

/// The channels of the network [ns/B]; per algorithm the form that was chosen, its parameters [us,
/// ns/B] with intervals for each segment of sizes, its errors [%], and what else was tried. Nothing
/// when there are no fits.
void print_collective_fits(std::ostream& out, const collectives::Fits& fits);

/// "allreduce algorithm=ring", inert: what a model of a collective is of.
std::string collective_title(const collectives::Curve& curve);

/// Ten lines of them: curves, each with the alpha of its first segment, the bandwidth of its last
/// one and its errors, then collectives; and how many more there are (--all).
void print_fit_summary(std::ostream& out, const models::FitSet& set,
                       const std::vector<models::LogGp>& loggp, const collectives::Fits& fits);

/// A line for each number of ranks and bytes: time with interval, held-out error, and how it was
/// found.
void print_prediction_table(std::ostream& out, const collectives::Question& question,
                            const std::vector<collectives::PredictedTime>& rows);

/// What starting costs by number of ranks: the terms of each model with their intervals over
/// launches, times in us, memory in KiB; nothing where there is none.
void print_rank_scalings(std::ostream& out, const std::vector<collectives::Scaling>& scalings);

}  // namespace hockney::report
