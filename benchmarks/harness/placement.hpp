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

/// Parses the texts of /proc/self/smaps_rollup and /proc/self/status; nullopt if either lacks a
/// size.
std::optional<MemoryUse> parse_memory_use(const std::string& rollup, const std::string& status);

/// The memory use of this process now; the caller sets rank and moment. nullopt if Linux does not
/// report it.
std::optional<MemoryUse> read_memory_use();

/// Minor page faults of this process so far (getrusage(2), ru_minflt): one for each page at its
/// first access, without reading from disk.
std::int64_t page_faults();

/// Caches and free memory of a rank.
struct RankMemory {
  std::optional<int> cache;     ///< number of its last-level cache; nullopt if the rank may move to
                                ///< another one
  std::size_t cache_bytes = 0;  ///< size of the last-level cache, the largest if there are several;
                                ///< 0: unknown
  std::size_t line_bytes = 0;   ///< line size of that cache; 0: unknown
  std::size_t inner_bytes = 0;  ///< size of the cache before it; 0: unknown, or none
  std::size_t free_bytes = 0;   ///< memory of the node that the job may still allocate; 0: unknown

  friend bool operator==(const RankMemory&, const RankMemory&) = default;
};

/// The part of gather_memories without MPI: the caches of a rank that runs on some of these CPUs.
RankMemory describe_caches(const placement::Topology& topology, const std::vector<int>& os_cpus);

/// Memory available without swapping, from the text of /proc/meminfo [B]; 0 if not listed.
std::size_t available_memory(const std::string& meminfo);

/// Memory that control groups leave to a process, from the text of its /proc/self/cgroup [B].
/// Versions 1 and 2 are supported; `root` is their mount point. Limits of parent groups count too.
/// Reclaimable file pages count as free. nullopt without a limit.
std::optional<std::size_t> left_in_groups(const std::string& groups, const std::string& root);

/// Memory that this process may still allocate [B]; 0: unknown.
std::size_t free_memory();

/// Facts of every rank, in order of ranks, on every rank. Collective.
std::vector<RankMemory> gather_memories(MPI_Comm comm, const placement::Topology& topology,
                                        const std::vector<int>& os_cpus);

/// Converts a PU to a text and back, for messages between ranks: "os_cpu core l2 l3 package
/// numa...", with -1 for a missing cache.
std::string pu_text(const placement::Pu& pu);
placement::Pu read_pu(const std::string& text);

/// Where a rank runs. Hosts are identified by the names they report.
struct Site {
  int rank = 0;
  std::string host;
  int node = 0;        ///< hosts numbered in order of their first rank
  int local_rank = 0;  ///< among the ranks of the same host
  int local_size = 0;
  std::optional<placement::Pu> pu{};  ///< nullopt if the rank is not bound to one CPU
};

/// The site of every rank, in order of ranks, on every rank. Collective.
std::vector<Site> gather_sites(MPI_Comm comm);

/// The part of gather_sites without MPI: sites from host names in order of ranks.
std::vector<Site> number_sites(const std::vector<std::string>& hosts);

struct PlacementOptions {
  bool bind = true;              ///< false: ranks stay where the launcher put them
  bool allow_misplaced = false;  ///< continue although a rank is not at its planned place
  placement::PlanOptions plan;
  std::string sites;  ///< site file of the network, read by rank 0; empty: none
};

/// The ranks of a job after binding, the same on every rank.
struct JobPlacement {
  std::vector<Site> sites;
  std::vector<RankPlace> places;                    ///< requested and actual CPUs, for the record
  std::vector<placement::RankHop> representatives;  ///< one pair for each class
  std::vector<Host> hosts;                          ///< one for each node, in order of nodes
  std::vector<std::vector<int>> node_cpus;          ///< usable CPUs of each node, neighbours first
  std::vector<std::vector<int>> node_cores;         ///< of each node one usable CPU of each core
  std::vector<std::size_t> node_cache_bytes;        ///< of its last-level caches together
  std::vector<RankMemory> memories;                 ///< one for each rank; empty under a simulator
  std::size_t simulated_on_bytes = 0;               ///< free memory of the machine that runs the
                                                    ///< simulator
  std::optional<SiteFile> network;                  ///< places of the nodes, if known
  std::vector<std::string> flags;                   ///< oversubscribed, unbound, misplaced
  std::vector<std::string> remarks;  ///< sentences for people, such as classes not covered
};

/// The distance between the ranks of a pair, from placement::hop_between; nullopt if the job lacks
/// one of them.
std::optional<placement::Hop> hop_of(const JobPlacement& job, const placement::RankPair& pair);

/// The class of a distance between two ranks: that of the network between nodes if known, else
/// hop_name.
std::string hop_word(const JobPlacement& job, const placement::RankPair& pair, placement::Hop hop);

/// Reads the topology of each node, binds every rank by the plan, reads the binding back and sends
/// it to all ranks. InputError on every rank if one rank is misplaced and that is not allowed.
/// Under a simulator nothing is bound, and pairs on different hosts are cross-node. Between nodes,
/// places from Slurm's task variables have precedence over the site file. Collective.
JobPlacement place_ranks(MPI_Comm comm, const PlacementOptions& options);

/// Finds the places of the job's hosts in the network. Slurm's task variables come first. They are
/// ignored if missing, or if the address is that of another node: launchers pass on the first
/// node's environment. The site file `file`, which rank 0 reads for all, comes next. nullopt if
/// there is neither, if all ranks are on one host, or if the file lacks a host, which adds a
/// remark. InputError on every rank for a file that cannot be read. Collective.
std::optional<SiteFile> find_network(MPI_Comm comm, JobPlacement& job, const std::string& file);

}  // namespace hockney::benchmarks
