#pragma once

#include "core/provenance.hpp"

namespace hockney {

/// The MPI library of this process: name, standard, every control variable that MPI_T lets us read
/// without an object, with the value in force, and what became of what the environment asks for. No
/// settings where MPI_T is missing (SMPI).
MpiLibrary describe_mpi();

}  // namespace hockney
