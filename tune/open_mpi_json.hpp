#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tune/open_mpi_names.hpp"
#include "tune/rules.hpp"

namespace hockney::tune {

/// The rules of coll/tuned as Open MPI 6.0 reads them: by Open MPI's own size keys, algorithms by
/// name, what has no end without one, nothing where the library decides.
nlohmann::json open_mpi_json(const Rules& keyed);

/// InputError naming file and key for what Open MPI 6.0 would ignore the whole file for (a
/// collective there is not, a list that is none, a number that is none) or skip without a word (an
/// algorithm that `release` does not have, a key it does not know).
void check_open_mpi_json(const std::string& text, const std::string& file,
                         const OpenMpiRelease& release);

}  // namespace hockney::tune
