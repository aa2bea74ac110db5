#pragma once

#include <map>
#include <string>
#include <vector>

#include "application/projection/projection.hpp"
#include "application/profile/profile.hpp"

namespace hockney::advice {

/// A run that is to be made faster, and the models of its machine; all must outlive it.
struct Run {
  const profile::Profile& profile;
  const projection::Projector& projector;
  const projection::Machine& machine;
};

/// Something that can be set otherwise.
struct Change {
  std::string words;                             ///< "eager limit 32712 B in a node"
  std::map<std::string, std::string> variables;  ///< of the environment; empty where none is known
  projection::WhatIf what_if;                    ///< its hosts are where ranks are to go
};

/// Limits that let the messages above the limit in force go without a receive: for each reach the
/// powers of two that some of them need, ascending.
std::vector<std::vector<Change>> eager_changes(const Run& run);

/// The mapping that sends least between nodes; none where that is the one of the run.
std::vector<Change> mapping_changes(const Run& run);

/// Algorithms of the collectives that the program calls, as far as the library can be told to take
/// them: for each operation all that were measured beside the library's own choice, and where the
/// environment forces one, every other.
std::vector<std::vector<Change>> algorithm_changes(const Run& run);

/// The algorithms that the environment of a run forces, by operation, as models name them.
projection::ForcedAlgorithms algorithms_in_force(const profile::Profile& profile);

}  // namespace hockney::advice
