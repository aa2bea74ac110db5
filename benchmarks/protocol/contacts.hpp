#pragma once

#include <mpi.h>

#include <vector>

#include "core/memory_use.hpp"

namespace hockney {

/// What connections cost: reads the memory of every process before any message of this job
/// ("after-init"), then rank 0 exchanges an empty message with one rank after the other, and both
/// read theirs ("after-peer"). To be called first of all. Each rank gets its own readings, without
/// its number. Collective.
std::vector<MemoryUse> contact_peers(MPI_Comm comm);

}  // namespace hockney
