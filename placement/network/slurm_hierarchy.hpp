#pragma once

#include <vector>

#include "placement/network/nested_sites.hpp"
#include "placement/network/network_notes.hpp"
#include "placement/network/slurm_lines.hpp"

namespace hockney::placement {

/// The sites of the nodes of a tree of switches, of which each line is one. Switches that serve the
/// same nodes, on every level, are one site.
NestedSites sites_of_switches(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

/// The sites of the nodes of blocks, with the larger blocks that are printed ("AggregatedBlock") or
/// that BlockSizes asks for: as topology/block does, neighbouring blocks are joined by twos, fours
/// and so on, blocks without nodes among them.
NestedSites sites_of_blocks(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

/// The ring, or the torus, of each node; where the node is in it is not read.
NestedSites sites_of_rings(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

}  // namespace hockney::placement
