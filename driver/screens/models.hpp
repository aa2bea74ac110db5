#pragma once

#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "models/fit_set.hpp"
#include "models/loggp.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// A row for each of the first ten models: alpha of the first segment, bandwidth of the last one,
/// errors. Words that the names of all curves share stand once, above them. The last line has the
/// number of further models (--all).
View summary_of(const models::FitSet& set, const std::vector<models::LogGp>& loggp,
                const collectives::Fits& fits);

/// Of each model: alpha of the first segment, asymptotic bandwidth.
std::vector<SummaryRow> model_rows(const models::FitSet& set);

}  // namespace hockney::report
