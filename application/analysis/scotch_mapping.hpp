#pragma once

#include <optional>

#include "application/analysis/mapping.hpp"

namespace hockney::applications {

/// Whether this build has Scotch (Pellegrini, Roman 1996).
bool has_scotch();

/// Ranks on the same nodes, with as many on each, as Scotch maps the graph of their messages to a
/// complete graph of nodes; where it fills a node too far, the ranks go on that lose the least.
/// Without a cut. nullopt where this build has no Scotch, or it fails.
std::optional<Mapping> scotch_mapping(const MessageMatrix& by_rank, const Nodes& nodes);

}  // namespace hockney::applications
