#pragma once

#include <map>
#include <string>
#include <vector>

#include "campaign/dialect.hpp"
#include "where/faults.hpp"
#include "where/launcher_words.hpp"

namespace hockney::where {

/// What would mend the faults of a launch, in the words of its launcher.
struct Mending {
  Words binding;         ///< as many cores for a rank as it has threads
  bool spreads = false;  ///< ranks over all nodes, by the binding or by these
  Words spreading;
  /// Of OpenMP, and of Intel MPI; with OMP_NUM_THREADS where a node has not so many cores.
  std::map<std::string, std::string> variables;
};

/// For these faults alone: without any, nothing.
Mending mending_of(const Whereabouts& all, const std::vector<Fault>& faults,
                   campaign::LauncherKind kind);

/// What of it mends a fault of that kind, for people: "--map-by slot:PE=8 --bind-to core".
std::string remedy(const Mending& mending, FaultKind kind, campaign::LauncherKind launcher);

/// A command, its launcher first, and where its program stands.
struct PlacedCommand {
  Words words;
  std::size_t program = 0;
};

/// The command with the mending in place of the options of its own that say where ranks go.
/// Variables that its words set are changed where they stand. What was left out goes to `left_out`.
PlacedCommand mended(const PlacedCommand& command, const Mending& mending,
                     campaign::LauncherKind kind, Words& left_out);

}  // namespace hockney::where
