#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "application/where/command_line.hpp"
#include "application/where/faults.hpp"
#include "application/where/whereabouts.hpp"
#include "campaign/launch_command.hpp"

namespace hockney::where {

/// Why nothing mends the faults of a launch: a node has more ranks than it can give a core each.
struct Shortage {
  std::size_t ranks = 0;       ///< on that node, once they are spread over all
  std::size_t threads = 1;     ///< of each, that no variable makes fewer
  std::size_t cores = 0;       ///< that the job may use there
  std::string host;            ///< empty: the only node
  std::size_t free_cores = 0;  ///< of other nodes
};

/// "4 ranks need 4 cores, this node has 2; nothing but fewer ranks or more nodes fixes it".
std::string shortage_text(const Shortage& shortage);

/// What would mend the faults of a launch, in the words of its launcher.
struct Mending {
  Words binding;         ///< as many cores for a rank as it has threads
  bool spreads = false;  ///< ranks over all nodes, by the binding or by these
  Words spreading;
  /// Of OpenMP, and of Intel MPI; with OMP_NUM_THREADS where a node has not so many cores.
  std::map<std::string, std::string> variables;
  std::vector<std::string> without{};  ///< wrappers that bind, as typed
  std::optional<Shortage> shortage{};  ///< then there is nothing else in it

  /// Whether it changes nothing.
  [[nodiscard]] bool is_empty() const {
    return binding.empty() && spreading.empty() && variables.empty() && without.empty();
  }
};

/// For these faults alone: without any, nothing.
Mending mending_of(const Whereabouts& all, const std::vector<Fault>& faults,
                   campaign::LauncherKind kind);

/// What of it mends a fault of that kind, for people: "--map-by slot:PE=8 --bind-to core".
std::string remedy(const Mending& mending, FaultKind kind, campaign::LauncherKind launcher);

/// The command with the mending in place of the options of its own that say where ranks go, without
/// the wrappers that bind. Variables that its words set are changed where they stand. What was left
/// out goes to `left_out`.
PlacedCommand mended(const PlacedCommand& command, const Mending& mending,
                     campaign::LauncherKind kind, Words& left_out);

/// Whether words before the launcher keep it to fewer CPUs than this program may use. `own_host`
/// and `own_cpus`, ascending: of this program.
bool launcher_is_bound(const PlacedCommand& command, const Whereabouts& all,
                       const std::string& own_host, const std::vector<int>& own_cpus);

/// Wrappers of a command that brought about its worst fault by binding.
struct Binders {
  std::vector<std::string> wrappers;  ///< as typed
  std::vector<std::string> texts;     ///< "`taskset -c 0` binds both ranks to CPU 0"
  Whereabouts without;                ///< where ranks and threads would be without them
};

/// Finds them, by where ranks were started before and behind each wrapper, and marks them in the
/// command. None where the worst fault would be there without them, too. `bound_launcher`: so are
/// those before the launcher, and its ranks would else start on `own_cpus`.
Binders find_binders(PlacedCommand& command, const Whereabouts& all,
                     const std::vector<Fault>& faults, bool bound_launcher,
                     const std::vector<int>& own_cpus);

}  // namespace hockney::where
