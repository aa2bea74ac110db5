#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tune/open_mpi_names.hpp"
#include "tune/rules.hpp"

namespace hockney::tune {

/// The rules of coll/tuned as Open MPI 6.0 reads them: by Open MPI's own size keys, algorithms by
/// name, what has no end without one, nothing where the library decides.
nlohmann::json open_mpi_json(const Rules& keyed);

/// InputError with file and key for what makes Open MPI 6.0 ignore the whole file (an unknown
/// collective, a wrong type), and for what it skips silently (an unknown key, an algorithm that
/// `release` does not have).
void check_open_mpi_json(const std::string& text, const std::string& file,
                         const OpenMpiRelease& release);

}  // namespace hockney::tune
