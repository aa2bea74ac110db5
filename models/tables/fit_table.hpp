#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "models/fit_set.hpp"
#include "models/loggp.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// "pingpong ranks=2 hop=l3 setting=a", escaped: names the curve of a model.
std::string model_title(const Point& point, const std::string& setting);

/// A row for each segment: alpha, beta, bandwidth 1/beta and n_half = alpha/beta with intervals.
/// Text lines have the names of curves, their errors, breakpoints and warnings, and curves without
/// a fit.
View view_of(const models::FitSet& set);

inline constexpr std::string_view fit_schema = "hockney.fit/1";

/// The document of `hockney fit --json`. Errors, shares and noise are fractions of 1; unknown
/// values are null.
nlohmann::json to_json(const models::FitSet& set);

/// The parameters of every pair with a LogGP measurement.
View view_of(const std::vector<models::LogGp>& models);

/// The key `loggp` of the document of fits: an array, empty when no pair was measured for it.
nlohmann::json to_json(const std::vector<models::LogGp>& models);

}  // namespace hockney::report
