#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "components/application/where/faults.hpp"
#include "components/application/where/launcher_options.hpp"
#include "components/application/where/placement_fix.hpp"
#include "report/screen.hpp"
#include "report/view.hpp"

namespace hockney::where {

/// Picture of a node: one line per part, which is an L3 cache in a NUMA node of a package. Each
/// line has the cores and their allowed threads: "node1  package 0  NUMA 0  L3 0  cores 0-3: rank 0
/// threads 0-3". Consecutive cores form one entry if they have the same threads, no threads, or one
/// thread each in order.
std::vector<std::string> picture_of(const Occupancy& node);

/// A launch of the probe and its results.
struct Probed {
  Words command;  ///< the command as the program would be started
  RankBindings found;
  std::vector<Fault> faults;
};

/// Results of `hockney where`.
struct WhereView {
  LauncherKind launcher = LauncherKind::openmpi4;
  Words programs;  ///< the words that the probe replaced
  Probed probed;
  PlacementFix fix;
  Words corrected;              ///< the command with the fix; empty: nothing to fix
  Words left_out;               ///< the user's options that `corrected` lacks
  std::optional<Probed> proof;  ///< probe with `corrected`
  std::vector<std::string> notes;
  std::vector<std::string> causes{};  ///< wrappers that bind, a sentence each
  std::string proof_failure{};  ///< why the launch with `corrected` failed; empty: it did not fail
  bool ran_program = false;     ///< the program itself ran, not a probe
  std::string unseen{};         ///< a script that the probe replaced: it may bind; empty: none
};

/// The document hockney.where/2.
nlohmann::json to_json(const WhereView& view);

/// Numbers of ranks and threads, and the verdict. Then each fault with its fix, and the placement
/// on the first nodes.
report::Screen screen_of(const WhereView& view);

/// One row per thread: its allowed CPUs and its last CPU.
report::View view_of(const WhereView& view);

/// All nodes and all faults.
void print_where_tables(std::ostream& out, const WhereView& view);

}  // namespace hockney::where
