#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/collectives/prediction.hpp"

namespace hockney {

/// One entry of `predictions` in `hockney.prediction/1`.
nlohmann::json to_json(const CollectiveQuestion& question, const PredictedTime& predicted);

}  // namespace hockney
