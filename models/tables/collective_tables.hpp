#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// "allreduce algorithm=ring", escaped: names the collective of a model.
std::string collective_title(const collectives::Curve& curve);

/// The channels of the network [ns/B]. For each algorithm: the chosen form, its parameters [us,
/// ns/B] with intervals for each segment of sizes, its errors [%], and the candidate forms. Prints
/// nothing without fits.
void print_collective_fits(std::ostream& out, const collectives::Fits& fits);

/// The keys `collectives`, `collective_failures`, `gammas` and `channels` of the document of fits.
nlohmann::json to_json(const collectives::Fits& fits);

/// "16 ranks, 8 B: 3.28 us (2.14 .. 5.01)".
std::string prediction_text(const collectives::PredictedTime& row);

/// A row for each number of ranks and bytes: time with interval, held-out error, model.
View view_of(const std::vector<collectives::PredictedTime>& rows);

/// One entry of `predictions` in `hockney.prediction/1`.
nlohmann::json to_json(const collectives::Question& question,
                       const collectives::PredictedTime& predicted);

}  // namespace hockney::report
