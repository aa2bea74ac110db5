#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "components/application/where/command_line.hpp"
#include "components/application/where/faults.hpp"
#include "components/application/where/launcher_options.hpp"
#include "components/application/where/rank_bindings.hpp"

namespace hockney::where {

/// Why no option fixes the faults of a launch: a node has too few cores for its ranks.
struct Shortage {
  std::size_t ranks = 0;       ///< on that node, once they are spread over all nodes
  std::size_t threads = 1;     ///< per rank; OMP_NUM_THREADS cannot reduce them
  std::size_t cores = 0;       ///< allowed cores of the job there
  std::string host;            ///< empty: there is only one node
  std::size_t free_cores = 0;  ///< on other nodes
  std::optional<double>
      limit{};  ///< CPUs whose time a control group allows; then cores do not count
};

/// "4 ranks need 4 cores, this node has 2; ...": the shortage and its remedy.
std::string shortage_text(const Shortage& shortage);

/// The fix for the faults of a launch, in options of its launcher.
struct PlacementFix {
  Words binding;         ///< binds each rank to as many cores as it has threads
  bool spreads = false;  ///< distributes ranks over all nodes, by `binding` or by `spreading`
  Words spreading;
  /// For OpenMP and Intel MPI; includes OMP_NUM_THREADS if a node has too few cores.
  std::map<std::string, std::string> variables;
  /// Programs that start fewer threads than that already; they keep their OMP_NUM_THREADS.
  std::set<int> narrow{};
  std::vector<std::string> without{};  ///< wrappers to leave out, as typed
  std::optional<Shortage> shortage{};  ///< if set, all else is empty

  /// Whether it changes nothing.
  [[nodiscard]] bool is_empty() const {
    return binding.empty() && spreading.empty() && variables.empty() && without.empty();
  }
};

/// The fix for these faults; empty without faults.
PlacementFix fix_of(const RankBindings& all, const std::vector<Fault>& faults, LauncherKind kind);

/// The part of the fix for one kind of fault, as text: "--map-by slot:PE=8 --bind-to core".
std::string remedy(const PlacementFix& fix, FaultKind kind, LauncherKind launcher);

/// The command with the fix. Replaces its own options for placement, and removes the wrappers that
/// bind. Sets variables by options of the launcher or by env(1), and where the command sets them
/// already. Appends the removed words to `left_out`.
PlacedCommand corrected(const PlacedCommand& command, const PlacementFix& fix, Words& left_out);

/// Whether words before the launcher restrict it to fewer CPUs than this program may use.
/// `own_host`, `own_cpus` (ascending): of this program.
bool launcher_is_bound(const PlacedCommand& command, const RankBindings& all,
                       const std::string& own_host, const std::vector<int>& own_cpus);

/// The wrappers of ranks that bind, as typed.
std::vector<std::string> binding_wrappers(const PlacedCommand& command);

/// Wrappers that caused a command's worst fault by binding.
struct Binders {
  std::vector<std::string> wrappers;  ///< as typed
  std::vector<std::string> texts;     ///< "`taskset -c 0` binds both ranks to CPU 0"
  RankBindings without;               ///< placement without them
};

/// Finds these wrappers from the CPUs of ranks before and after each wrapper. Sets `binds` in the
/// command for all that bind. Empty if the worst fault remains without them. `bound_launcher`:
/// wrappers before the launcher bind it; without them ranks would start on `own_cpus`.
Binders find_binders(PlacedCommand& command, const RankBindings& all,
                     const std::vector<Fault>& faults, bool bound_launcher,
                     const std::vector<int>& own_cpus);

}  // namespace hockney::where
