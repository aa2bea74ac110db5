#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/startup/startup_options.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// One launch of hockney-startup; to be called when MPI has begun as `start` says, before any
/// communication. Returns the record on rank 0, saved where the options say, and nullopt elsewhere.
/// What MPI_Finalize takes is not in it yet. Collective.
std::optional<Record> run_startup(MPI_Comm comm, const StartupOptions& options,
                                  const LibraryStart& start);

/// Adds the times of MPI_Finalize [s] of these ranks, of `ranks` on rank 0's node, to the record.
void add_finalize(Record& record, const std::vector<double>& seconds, int ranks);

}  // namespace hockney::benchmarks::programs
