#pragma once

#include <mpi.h>

#include <vector>

#include "core/provenance.hpp"

namespace hockney::benchmarks::programs {

/// Memory of this rank before and while it holds so many duplicates of `comm`, each of which has
/// been used once, by a barrier. Nothing where Linux does not tell. Collective.
std::vector<MemoryUse> memory_of_communicators(MPI_Comm comm, int count);

/// Every rank's readings, on rank 0; nothing elsewhere. Collective.
std::vector<MemoryUse> gather_memory(MPI_Comm comm, std::vector<MemoryUse> own);

}  // namespace hockney::benchmarks::programs
