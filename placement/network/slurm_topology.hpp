#pragma once

#include <string>

#include "placement/network/described_network.hpp"
#include "placement/network/slurm_hierarchy.hpp"

namespace hockney::placement {

/// What `scontrol show topology` prints and topology.conf holds (topology.conf(5), Slurm 20 to 26):
/// one switch a line with its nodes or the switches below it ("SwitchName=s0 Nodes=n[0-3]"), blocks
/// of nodes ("BlockName=b0 Nodes=n[0-3]") with the larger blocks that they form ("BlockSizes=4,8",
/// "AggregatedBlock=b[0-1] ... Nodes=... BlockSize=8"), or rings ("RingName=r0 Nodes=n[0-7]").
/// Levels are "switch", "group", "level-3", or "block", "group" and so on, near to far; rings and
/// toruses are one level. Slurm takes several switches above one, nodes at several switches, and
/// switches and blocks without nodes; so does hockney (SwitchGroups). What Slurm refuses is left
/// out and noted: a switch, block or ring that is defined again, a switch below another that has no
/// line of its own, and switches that are above themselves. InputError where no node is left.
DescribedNetwork read_slurm_topology(const NetworkText& text, const IncludedText& included = {});

/// The same of topology.yaml(5), Slurm 25.05 and later, which describes several topologies:
/// `topology` names one of them; if it is empty, the cluster's default is read, or the first that
/// has switches, blocks or rings. InputError for an unknown name.
DescribedNetwork read_slurm_yaml(const NetworkText& text, const std::string& topology = "");

}  // namespace hockney::placement
