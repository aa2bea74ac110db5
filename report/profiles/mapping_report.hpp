#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "core/words.hpp"
#include "models/applications/mapping.hpp"
#include "models/applications/pattern.hpp"
#include "profile/profile.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

/// The ranks of a profile on its nodes, and where they had better be.
struct MappingView {
  profile::Profile profile;
  std::string file;  ///< that it came from
  applications::Nodes nodes;
  applications::Pattern pattern;
  applications::MappingAdvice advice;
  std::optional<applications::Mapping> scotch;  ///< where it was asked, with its own cut
};

/// Whose opinions are asked for.
enum class Mappers { own, with_scotch };

/// InputError for an opinion of Scotch's that this build, or Scotch, cannot give.
MappingView mapping_view_of(profile::Profile profile, const std::string& file,
                            Mappers mappers = Mappers::own);

/// What goes between nodes as it was and at best, and how much better it can get at all.
Screen screen_of(const MappingView& view);

/// Every mapping that was tried, those of least bytes between nodes first.
void print_mapping_table(std::ostream& out, const MappingView& view);

/// The document `hockney.map/1` (docs/profile.md).
nlohmann::json to_json(const MappingView& view);

/// How launchers are told where ranks go: Open MPI's rank file; a host for each rank, in their
/// order (machine file of MPICH and Intel MPI, SLURM_HOSTFILE of srun --distribution=arbitrary);
/// the order of ranks in the slots of the nodes (Cray's MPICH_RANK_ORDER).
enum class RankFile { rankfile, hosts, rank_order };

constexpr auto words_of(std::type_identity<RankFile>) {
  return std::to_array<std::string_view>({"rankfile", "hosts", "rank-order"});
}

/// The one that the launcher of an MPI library reads.
RankFile usual_rank_file(const std::string& mpi_library);

/// The best mapping; ranks of a node have its slots from 0 on, in their order.
void write_rank_file(std::ostream& out, const MappingView& view, RankFile format);

}  // namespace hockney::report
