#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/loggp.hpp"

namespace hockney {

/// The key `loggp` of the document of fits: an array, empty when no pair was measured for it.
nlohmann::json to_json(const std::vector<LogGp>& models);

}  // namespace hockney
