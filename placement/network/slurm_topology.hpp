#pragma once

#include <string>

#include "placement/network/described_network.hpp"
#include "placement/network/slurm_hierarchy.hpp"

namespace hockney::placement {

/// Reads the output of `scontrol show topology`, or topology.conf (topology.conf(5), Slurm 20 to
/// 26). The lines describe:
/// - switches with their nodes or lower switches ("SwitchName=s0 Nodes=n[0-3]");
/// - blocks of nodes ("BlockName=b0 Nodes=n[0-3]") and larger blocks ("BlockSizes=4,8",
///   "AggregatedBlock=b[0-1] ... Nodes=... BlockSize=8");
/// - rings ("RingName=r0 Nodes=n[0-7]").
/// Levels are "switch", "group", "level-3", or "block", "group" and so on, near to far. Rings and
/// toruses are one level. As in Slurm, a switch may have several switches above it, a node several
/// switches, and switches and blocks may lack nodes (SwitchGroups). What Slurm rejects is left out
/// and noted: repeated definitions, lower switches without a line, and cycles of switches.
/// InputError if no node is left.
DescribedNetwork read_slurm_topology(const NetworkText& text, const IncludedText& included = {});

/// Reads topology.yaml(5) of Slurm 25.05 and later, which describes several topologies. `topology`
/// names one of them. If it is empty, reads the cluster's default, or the first one with switches,
/// blocks or rings. InputError for an unknown name.
DescribedNetwork read_slurm_yaml(const NetworkText& text, const std::string& topology = "");

}  // namespace hockney::placement
