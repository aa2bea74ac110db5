#pragma once

#include "core/site_file.hpp"
#include "placement/network/numbered_lines.hpp"

namespace hockney::placement {

/// What `scontrol show topology` prints and topology.conf holds (topology.conf(5), Slurm 20 to 25):
/// one switch a line with its nodes or the switches below it ("SwitchName=s0 Nodes=n[0-3]"), or
/// blocks of nodes ("BlockName=b0 Nodes=n[0-3]") with what they are aggregated to
/// ("BlockSizes=4,8", "AggregatedBlock=b[0-1] ... Nodes=..."). Levels are "switch", "group",
/// "level-3", or "block", "group" and so on, near to far. InputError with the line for what is no
/// such line, a switch without a way down or with two ways up, a node in two places, and where
/// there are no nodes.
SiteFile read_slurm_topology(const NetworkText& text);

}  // namespace hockney::placement
