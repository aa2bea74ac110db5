#pragma once

#include <string>
#include <vector>

#include "application/profile/profile.hpp"

namespace hockney::advice {

/// A rank file of Open MPI for ranks on these hosts, in order: each has the processors of a rank
/// that was on its host in the run, in the numbers of the operating system
/// (rmaps_rank_file_physical). InputError for a host that had fewer ranks.
std::string rank_file(const std::vector<std::string>& hosts, const profile::Profile& run);

/// The same as a host for each rank: machine file of MPICH and Intel MPI, SLURM_HOSTFILE.
std::string host_list(const std::vector<std::string>& hosts);

}  // namespace hockney::advice
