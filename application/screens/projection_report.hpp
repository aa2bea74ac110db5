#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "application/analysis/mapping.hpp"
#include "application/analysis/rank_orders.hpp"
#include "application/profile/profile.hpp"
#include "application/projection/kernel_prediction.hpp"
#include "application/projection/projection.hpp"
#include "core/text.hpp"
#include "report/screens/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// What was asked of one run of a program, and the answers.
struct ProjectionView {
  profile::Profile profile;
  std::string file;  ///< that it came from
  projection::Validation validation;
  std::vector<projection::Projection> answers;
  bool has_intervals = false;  ///< of the models' parameters, over launches
  std::vector<std::string> doubts;
};

/// The models' time beside the measured one, and a line for each question.
Screen screen_of(const ProjectionView& view);

/// A row for each question.
View view_of(const ProjectionView& view);

/// The document `hockney.projection/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const ProjectionView& view);

/// A kernel at numbers of ranks that nobody measured.
struct KernelPredictionView {
  projection::Kernel kernel = projection::Kernel::halo;
  std::string problem;               ///< "256x256"
  std::vector<std::string> records;  ///< of the machine
  std::vector<int> ranks;            ///< of each answer
  std::vector<std::string> why_not;  ///< of each; empty where it can be told
  std::vector<projection::KernelPrediction> answers;
  bool has_intervals = false;  ///< of the models' parameters
  std::vector<std::string> doubts;
};

/// The time of an iteration at each number of ranks with its range, speed-up, and the share of
/// computing.
Screen screen_of(const KernelPredictionView& view);

/// A row for each number of ranks.
View view_of(const KernelPredictionView& view);

/// The document `hockney.kernel-prediction/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const KernelPredictionView& view);

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

/// The ranks of a profile on its nodes, and where they had better be.
struct MappingView {
  std::vector<std::string> header;  ///< what is mapped, for people
  std::string source;               ///< the profile's file, or the grid: "24x16"
  std::string command;              ///< that says the same again
  std::string mpi_library;          ///< whose launcher is told; empty: any
  std::optional<double> seconds;    ///< of the run; none of a grid
  applications::MessageMatrix matrix;
  applications::Nodes nodes;
  applications::MappingAdvice advice;
  std::optional<applications::Mapping> scotch;  ///< where it was asked, with its own cut
  bool is_chosen = false;          ///< `advice.best` is the order that was asked for, better or not
  applications::Volume before;     ///< messages between nodes, in both directions, as it was
  applications::Volume after;      ///< and at best
  std::vector<LocalSlot> slots{};  ///< of the local ranks of every node; empty: cores in order

  /// What launchers are told.
  [[nodiscard]] RankPlaces places() const { return {nodes.names, advice.best.of_rank, slots}; }
};

/// Whose opinions are asked for.
enum class Mappers { own, with_scotch };

/// InputError for an opinion of Scotch's that this build, or Scotch, cannot give.
MappingView mapping_view_of(const profile::Profile& profile, const std::string& file,
                            Mappers mappers = Mappers::own);

/// The ranks of a grid that exchange messages with their neighbours, as they fill nodes in order
/// and, where `chosen` names one, in an order that was asked for; else in the best that is found.
MappingView mapping_view_of(const applications::RankGrid& grid, std::int64_t bytes,
                            applications::Nodes nodes,
                            const std::optional<applications::Mapping>& chosen);

/// What goes between nodes as it was and at best, and how much better it can get at all.
Screen screen_of(const MappingView& view);

/// What lies between nodes, a row for each mapping.
View view_of_mappings(const std::vector<applications::Mapping>& mappings);

/// That of the run, the chosen one, and what else was tried, each once.
std::vector<applications::Mapping> mappings_of(const MappingView& view);

/// The document `hockney.map/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const MappingView& view);

}  // namespace hockney::report
