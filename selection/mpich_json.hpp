#pragma once

#include <string>

#include "selection/rules.hpp"

namespace hockney {

/// A selection tree of MPICH with the rules put into that of `base`: a complete one, such as
/// maint/tuning/coll/mpir/generic.json of the very version, for MPICH ends in MPI_Init when one of
/// its collectives is missing. The base goes on to decide where the rules leave it to the library,
/// and for messages and operators that a chosen algorithm is not for: not commutative, the user's
/// own, in place, of fewer elements than ranks. InputError when the base is no such tree or lacks
/// an operation.
std::string mpich_json(const std::string& base, const std::string& base_file, const Rules& keyed);

}  // namespace hockney
