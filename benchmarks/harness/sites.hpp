#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace hockney {

/// Where a rank runs, by the names the hosts give themselves.
struct Site {
  int rank = 0;
  std::string host;
  int node = 0;        ///< hosts numbered in order of their first rank
  int local_rank = 0;  ///< among the ranks of the same host
  int local_size = 0;
};

/// The site of every rank, in order of ranks, on every rank. Collective.
std::vector<Site> gather_sites(MPI_Comm comm);

/// Pure part of gather_sites: sites from host names in order of ranks.
std::vector<Site> number_sites(const std::vector<std::string>& hosts);

}  // namespace hockney
