#pragma once

#include <mpi.h>
#include <optional>
#include <string>

#include "benchmarks/harness/placement.hpp"
#include "core/site_file.hpp"

namespace hockney::benchmarks {

/// Where the hosts of the job are in the network: what Slurm told their tasks; where it told
/// nothing, or its address is that of another node (launchers pass on the environment of the first
/// one), the site file that is named, which rank 0 reads for all; nullopt where there is neither,
/// one host only, or one that the file does not have, of which there is a remark then. InputError
/// on every rank for a file that cannot be read. Collective.
std::optional<SiteFile> find_network(MPI_Comm comm, JobPlacement& job, const std::string& file);

}  // namespace hockney::benchmarks
