#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "models/fit_set.hpp"

namespace hockney {

inline constexpr std::string_view fit_schema = "hockney.fit/1";

/// The document of `hockney fit --json`. Errors, shares and noise are fractions of 1; what is not
/// known is null.
nlohmann::json to_json(const FitSet& set);

}  // namespace hockney
