#pragma once

#include <mpi.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/provenance.hpp"
#include "placement/topology.hpp"

namespace hockney::benchmarks {

/// The sizes by the text of /proc/self/smaps_rollup and /proc/self/status; nullopt when either does
/// not say.
std::optional<MemoryUse> parse_memory_use(const std::string& rollup, const std::string& status);

/// Of this process, now; rank and moment are left to the caller. nullopt where Linux does not tell.
std::optional<MemoryUse> read_memory_use();

/// Page faults of this process so far that needed no reading from disk (getrusage(2), ru_minflt):
/// one for each page of memory that is touched for the first time since the system gave it.
std::int64_t page_faults();

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
RankMemory describe_caches(const placement::Topology& topology, const std::vector<int>& os_cpus);

/// What Linux can give without swapping, by the text of /proc/meminfo [B]; 0 when it does not say.
std::size_t available_memory(const std::string& meminfo);

/// What the memory limits of control groups leave to a process, by the text of its
/// /proc/self/cgroup, in the file systems of version 2 and 1 that are mounted at `root` [B]. A
/// group has no more than those it is in; files that are about to be dropped count as free. nullopt
/// without a limit.
std::optional<std::size_t> left_in_groups(const std::string& groups, const std::string& root);

/// Memory that this process may still take [B]; 0: unknown.
std::size_t free_memory();

/// Every rank's, in order of ranks, on every rank. Collective.
std::vector<RankMemory> gather_memories(MPI_Comm comm, const placement::Topology& topology,
                                        const std::vector<int>& os_cpus);

}  // namespace hockney::benchmarks
