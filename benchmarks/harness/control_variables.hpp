#pragma once

#include <vector>

#include "core/settings/control_variable.hpp"

namespace hockney {

/// Every control variable that the MPI library shows through MPI_T, with the value in force where
/// it can be read without an object, and the values it may have where the library tells. Empty
/// where MPI_T is missing (SMPI).
std::vector<ControlVariable> control_variables();

}  // namespace hockney
