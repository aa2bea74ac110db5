#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/collectives/collective_fit.hpp"

namespace hockney {

/// The keys `collectives`, `collective_failures`, `gammas` and `channels` of the document of fits.
nlohmann::json to_json(const CollectiveFits& fits);

}  // namespace hockney
