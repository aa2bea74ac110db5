#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "application/analysis/mapping.hpp"
#include "application/analysis/rank_orders.hpp"
#include "application/profile/profile.hpp"
#include "application/screens/rank_file.hpp"
#include "report/screens/screen.hpp"

namespace hockney::report {

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

/// Every mapping that was tried, those of least bytes between nodes first.
void print_mapping_table(std::ostream& out, const MappingView& view);

/// The document `hockney.map/1` (docs/profile.md).
nlohmann::json to_json(const MappingView& view);

}  // namespace hockney::report
