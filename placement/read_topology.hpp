#pragma once

#include <string>

#include "placement/topology.hpp"

namespace hockney::placement {

// All three need hwloc 2; this header does not. Without a core or package object in the topology, a
// PU is its own core and the machine one package. InputError when the topology numbers one CPU
// twice, or a CPU above largest_cpu. None of them prints: hwloc's own warnings about a file or a
// text are silenced.

/// This machine, or the one that hwloc's own variables (HWLOC_XMLFILE, HWLOC_SYNTHETIC ...) put in
/// its place; `is_this_system` and `source` tell. Left out: what cgroups forbid and what the CPU
/// affinity of this process excludes. RunError when hwloc cannot read the machine.
Topology read_live_topology();

/// A file as written by lstopo, of hwloc 1 or 2. Left out: what the file marks as not allowed.
/// InputError when it cannot be read, is malformed, or was written by a newer hwloc.
Topology read_xml_topology(const std::string& file);

/// A text such as "pack:2 numa:2 l3:2 l2:4 core:1 pu:2" (hwloc manual, "Synthetic topologies").
/// InputError when hwloc rejects it, when it describes more than largest_cpu + 1 PUs, and when its
/// `indexes` give one number to several PUs.
Topology read_synthetic_topology(const std::string& text);

}  // namespace hockney::placement
