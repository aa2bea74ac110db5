#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "placement/topology.hpp"

namespace hockney {

/// What stands between a rank and the memory of its node.
struct RankMemory {
  std::optional<int> cache;     ///< number of its last-level cache; nullopt when it may change
  std::size_t cache_bytes = 0;  ///< of the last-level cache, the largest of several; 0: unknown
  std::size_t line_bytes = 0;   ///< of that cache; 0: unknown
  std::size_t inner_bytes = 0;  ///< of the cache before it; 0: unknown, or none
  std::size_t free_bytes = 0;   ///< memory of the node that the job may still take; 0: unknown

  friend bool operator==(const RankMemory&, const RankMemory&) = default;
};

/// Pure part of gather_memories: the caches of a rank that runs on some of these CPUs.
RankMemory describe_caches(const Topology& topology, const std::vector<int>& os_cpus);

/// What Linux can give without swapping, by the text of /proc/meminfo [B]; 0 when it does not say.
std::size_t available_memory(const std::string& meminfo);

/// Every rank's, in order of ranks, on every rank. Collective.
std::vector<RankMemory> gather_memories(MPI_Comm comm, const Topology& topology,
                                        const std::vector<int>& os_cpus);

}  // namespace hockney
