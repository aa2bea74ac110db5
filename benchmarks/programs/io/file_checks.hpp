#pragma once

#include <mpi.h>

#include <string>

#include "benchmarks/programs/launch/options.hpp"

namespace hockney::benchmarks::programs {

/// Before MPI: InputError where no folder is named, or nothing can be written there.
void check_folder(const LaunchOptions& options);

/// Completes what is to be known of the files, the same on every rank: the file system, by rank 0,
/// and whether O_DIRECT can be had. InputError when a rank does not see the folder that the others
/// see, for sizes that need more than --space, and where less than that is free. Collective.
void agree_on_files(MPI_Comm comm, LaunchOptions& options);

}  // namespace hockney::benchmarks::programs
