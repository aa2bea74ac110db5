#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "components/application/analysis/mapping.hpp"
#include "components/application/analysis/rank_orders.hpp"
#include "components/application/profile/profile.hpp"
#include "components/application/projection/kernel_prediction.hpp"
#include "components/application/projection/projection.hpp"
#include "core/text.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::report {

/// Questions about one run of a program, and their projections.
struct ProjectionView {
  profile::Profile profile;
  std::string file;  ///< path of the profile
  projection::Validation validation;
  std::vector<projection::Projection> answers;
  bool has_intervals = false;    ///< of the models' parameters, over launches
  std::string oversubscribed{};  ///< records whose ranks share CPUs; empty: none
  std::vector<std::string> doubts;
};

/// The models' time beside the measured one, and a line per question.
Screen screen_of(const ProjectionView& view);

/// One row per question.
View view_of(const ProjectionView& view);

/// Time of a projection with its range and effect, or why it has none.
nlohmann::json to_json(const projection::Projection& answer);

/// The document `hockney.projection/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const ProjectionView& view);

/// Predictions for a kernel at several numbers of ranks.
struct KernelPredictionView {
  projection::Kernel kernel = projection::Kernel::halo;
  std::string problem;               ///< "256x256"
  std::vector<std::string> records;  ///< of the machine
  std::vector<int> ranks;            ///< of each prediction
  std::vector<std::string> why_not;  ///< of each; empty if there is a prediction
  std::vector<projection::KernelPrediction> answers;
  bool has_intervals = false;    ///< of the models' parameters
  std::string oversubscribed{};  ///< records whose ranks share CPUs; empty: none
  std::vector<std::string> doubts;
};

/// Time of an iteration at each number of ranks, with range, speed-up and share of computing.
Screen screen_of(const KernelPredictionView& view);

/// One row per number of ranks.
View view_of(const KernelPredictionView& view);

/// The document `hockney.kernel-prediction/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const KernelPredictionView& view);

/// Place of a local rank on its node.
struct LocalSlot {
  int core = 0;  ///< index in hwloc's order, as in rank files
  int cpu = 0;   ///< number of the operating system

  friend bool operator==(const LocalSlot&, const LocalSlot&) = default;
};

/// Hosts and slots of all ranks.
struct RankPlaces {
  std::vector<std::string> hosts;
  std::vector<int> of_rank;      ///< index into the hosts
  std::vector<LocalSlot> slots;  ///< of local ranks, equal on all nodes; empty: cores in order
};

/// Formats that place ranks.
/// `rankfile`: rank file of Open MPI. `hosts`: one host per rank, in order; machine file of MPICH
/// and Intel MPI, SLURM_HOSTFILE of srun --distribution=arbitrary. `rank_order`: order of ranks in
/// the nodes' slots, Cray's MPICH_RANK_ORDER. `intel`: processors of the local ranks as lines for a
/// shell, I_MPI_PIN_PROCESSOR_LIST of Intel MPI.
enum class RankFile { rankfile, hosts, rank_order, intel };

constexpr auto words_of(std::type_identity<RankFile>) {
  return std::to_array<std::string_view>({"rankfile", "hosts", "rank-order", "intel"});
}

/// Format for the usual launcher of an MPI library.
RankFile usual_rank_file(const std::string& mpi_library);

/// Ranks of a node get its slots from 0 on, in order. InputError for a list of processors without
/// known slots.
void write_rank_file(std::ostream& out, const RankPlaces& places, RankFile format);

/// Commands that pass the file to a launcher, one line per launcher.
std::vector<std::string> launches_with(const std::string& file, const RankPlaces& places,
                                       RankFile format);

/// Ranks on their nodes, and a better mapping.
struct MappingView {
  std::vector<std::string> header;  ///< description of the job
  std::string source;               ///< the profile's file, or the grid: "24x16"
  std::string command;              ///< equivalent command
  std::string mpi_library;          ///< of the launcher; empty: any
  std::optional<double> seconds;    ///< of the run; nullopt for a grid
  applications::MessageMatrix matrix;
  applications::Nodes nodes;
  applications::MappingAdvice advice;
  bool is_chosen = false;          ///< `advice.best` is the requested order, better or not
  applications::Volume before;     ///< between nodes, in both directions, before
  applications::Volume after;      ///< the same with the best mapping
  std::vector<LocalSlot> slots{};  ///< of local ranks, equal on all nodes; empty: cores in order

  /// Places for launchers.
  [[nodiscard]] RankPlaces places() const { return {nodes.names, advice.best.of_rank, slots}; }
};

MappingView mapping_view_of(const profile::Profile& profile, const std::string& file);

/// Ranks of a grid that exchange messages with their neighbours. Before: they fill nodes in order.
/// After: the order `chosen`, or without one the best that is found.
MappingView mapping_view_of(const applications::RankGrid& grid, std::int64_t bytes,
                            applications::Nodes nodes,
                            const std::optional<applications::Mapping>& chosen);

/// Messages between nodes before and after, and the lower bound.
Screen screen_of(const MappingView& view);

/// Messages between nodes, one row per mapping.
View view_of_mappings(const std::vector<applications::Mapping>& mappings);

/// The run's mapping, the chosen one and the others tried, without duplicates.
std::vector<applications::Mapping> mappings_of(const MappingView& view);

/// The document `hockney.map/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const MappingView& view);

}  // namespace hockney::report
