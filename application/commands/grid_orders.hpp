#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cli/cli11.hpp"
#include "application/screens/mapping_report.hpp"

namespace hockney::apps {

/// Ranks in a grid, and the order that they are to have, as the user wrote it.
struct GridOrder {
  std::string grid;   ///< "24x16"; empty: a profile says what is mapped
  std::string nodes;  ///< how many
  std::string hosts;  ///< which, as Slurm writes them
  std::string order;  ///< a word of Order; empty: tiles where they are named, else the best found
  std::string tiles;  ///< "6x4"
  std::string points;
  std::string bytes = "8";
  bool periodic = false;
  std::string cpus;     ///< a word of CpuOrder; empty: the launcher's
  std::string machine;  ///< a text for hwloc or a file of lstopo; empty: this machine
};

void add_grid_options(CLI::App& app, GridOrder& order);
void add_slot_options(CLI::App& app, GridOrder& order);

/// InputError for a grid and nodes that do not go together.
report::MappingView view_of_grid(const GridOrder& order);

/// Where the local ranks go on their nodes; none where no order of CPUs is asked for. InputError
/// where some node has more ranks than the order has places.
std::vector<report::LocalSlot> local_slots(const GridOrder& order, const std::vector<int>& of_rank);

}  // namespace hockney::apps
