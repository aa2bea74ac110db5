#pragma once

#include <vector>

#include "core/provenance.hpp"
#include "core/settings/control_variable.hpp"

namespace hockney::benchmarks {

/// Every control variable that the MPI library shows through MPI_T, with the value in force where
/// it can be read without an object, and the values it may have where the library tells. Empty
/// where MPI_T is missing (SMPI).
std::vector<ControlVariable> control_variables();

/// The MPI library of this process: name, standard, every control variable that MPI_T lets us read
/// without an object, with the value in force, and what became of what the environment asks for. No
/// settings where MPI_T is missing (SMPI).
MpiLibrary describe_mpi();

}  // namespace hockney::benchmarks
