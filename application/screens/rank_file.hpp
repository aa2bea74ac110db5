#pragma once

#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/words.hpp"

namespace hockney::report {

/// Where a local rank is on its node.
struct LocalSlot {
  int core = 0;  ///< in hwloc's order, as rank files count
  int cpu = 0;   ///< in the numbers of the operating system

  friend bool operator==(const LocalSlot&, const LocalSlot&) = default;
};

/// Where every rank goes.
struct RankPlaces {
  std::vector<std::string> hosts;
  std::vector<int> of_rank;      ///< index into the hosts
  std::vector<LocalSlot> slots;  ///< of the local ranks of every node; empty: cores in order
};

/// How launchers are told where ranks go: Open MPI's rank file; a host for each rank, in their
/// order (machine file of MPICH and Intel MPI, SLURM_HOSTFILE of srun --distribution=arbitrary);
/// the order of ranks in the slots of the nodes (Cray's MPICH_RANK_ORDER); which processors the
/// local ranks get (I_MPI_PIN_PROCESSOR_LIST of Intel MPI), as lines for a shell.
enum class RankFile { rankfile, hosts, rank_order, intel };

constexpr auto words_of(std::type_identity<RankFile>) {
  return std::to_array<std::string_view>({"rankfile", "hosts", "rank-order", "intel"});
}

/// The one that the launcher of an MPI library reads.
RankFile usual_rank_file(const std::string& mpi_library);

/// Ranks of a node have its slots from 0 on, in their order. InputError for a list of processors
/// where none are known.
void write_rank_file(std::ostream& out, const RankPlaces& places, RankFile format);

/// How launchers are given the file, one line for each way.
std::vector<std::string> launches_with(const std::string& file, const RankPlaces& places,
                                       RankFile format);

}  // namespace hockney::report
