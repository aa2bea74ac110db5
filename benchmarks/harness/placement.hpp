#pragma once

#include <mpi.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/rank_memory.hpp"
#include "core/cpu_sharing.hpp"
#include "core/provenance.hpp"
#include "core/site_file.hpp"
#include "placement/plan.hpp"
#include "placement/sites.hpp"
#include "placement/topology.hpp"

namespace hockney::benchmarks {

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

}  // namespace hockney::benchmarks
