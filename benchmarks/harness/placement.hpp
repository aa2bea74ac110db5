#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.hpp"
#include "core/record.hpp"
#include "core/site_file.hpp"
#include "placement/plan.hpp"
#include "placement/rank_pairs.hpp"
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

/// A PU as one text and back, to travel between ranks: "os_cpu core l2 l3 package numa...", -1 for
/// a missing cache.
std::string pu_text(const placement::Pu& pu);
placement::Pu read_pu(const std::string& text);

/// Where a rank runs, by the names the hosts give themselves.
struct Site {
  int rank = 0;
  std::string host;
  int node = 0;        ///< hosts numbered in order of their first rank
  int local_rank = 0;  ///< among the ranks of the same host
  int local_size = 0;
  std::optional<placement::Pu> pu{};  ///< where it runs; nullopt when it is not bound to one CPU
};

/// The site of every rank, in order of ranks, on every rank. Collective.
std::vector<Site> gather_sites(MPI_Comm comm);

/// Pure part of gather_sites: sites from host names in order of ranks.
std::vector<Site> number_sites(const std::vector<std::string>& hosts);

struct PlacementOptions {
  bool bind = true;              ///< false: ranks stay wherever the launcher put them
  bool allow_misplaced = false;  ///< go on although a rank is not where the plan wants it
  placement::PlanOptions plan;
  std::string sites;  ///< site file of the network, which rank 0 reads; empty: none
};

/// The ranks of a job after they have bound themselves, the same on every rank.
struct JobPlacement {
  std::vector<Site> sites;
  std::vector<RankPlace> places;                    ///< asked and actual CPUs, for the record
  std::vector<placement::RankHop> representatives;  ///< one pair for each class
  std::vector<Host> hosts;                          ///< one for each node, in order of nodes
  std::vector<std::vector<int>> node_cpus;          ///< usable ones of each node, neighbours first
  std::vector<RankMemory> memories;                 ///< one for each rank; empty under a simulator
  std::size_t simulated_on_bytes = 0;               ///< free memory of the machine that simulates
  std::optional<SiteFile> network;                  ///< where the nodes are, where that is known
  std::vector<std::string> flags;                   ///< oversubscribed, unbound, misplaced
  std::vector<std::string> remarks;  ///< sentences for people, such as classes not covered
};

/// How far apart the ranks of a pair are, as placement::hop_between; nullopt for ranks that the job
/// does not have too.
std::optional<placement::Hop> hop_of(const JobPlacement& job, const placement::RankPair& pair);

/// The word of a distance between two ranks: that of the network between nodes where it is known,
/// else hop_name.
std::string hop_word(const JobPlacement& job, const placement::RankPair& pair, placement::Hop hop);

/// Reads the topology of each node, binds every rank from the plan, reads the binding back and
/// tells everybody. InputError on every rank when one rank is misplaced and that is not allowed.
/// Under a simulator nothing is bound, and pairs on different hosts are cross-node. Between nodes,
/// what Slurm told the tasks of their places counts, else the site file. Collective.
JobPlacement place_ranks(MPI_Comm comm, const PlacementOptions& options);

/// Where the hosts of the job are in the network: what Slurm told their tasks; where it told
/// nothing, or its address is that of another node (launchers pass on the environment of the first
/// one), the site file that is named, which rank 0 reads for all; nullopt where there is neither,
/// one host only, or one that the file does not have, of which there is a remark then. InputError
/// on every rank for a file that cannot be read. Collective.
std::optional<SiteFile> find_network(MPI_Comm comm, JobPlacement& job, const std::string& file);

}  // namespace hockney::benchmarks
