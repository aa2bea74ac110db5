#pragma once

#include <nlohmann/json_fwd.hpp>

#include "selection/rules.hpp"

namespace hockney {

/// The rules of coll/tuned as Open MPI 6.0 reads them: by Open MPI's own size keys, algorithms by
/// name, what has no end without one, nothing where the library decides.
nlohmann::json open_mpi_json(const Rules& keyed);

}  // namespace hockney
