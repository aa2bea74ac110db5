#pragma once

#include <string>
#include <vector>

#include "core/site_file.hpp"
#include "placement/network/network_notes.hpp"
#include "placement/network/numbered_lines.hpp"

namespace hockney::placement {

/// What Slurm told a task of its node: SLURM_TOPOLOGY_ADDR, "spine.leaf1.n3", and
/// SLURM_TOPOLOGY_ADDR_PATTERN, "switch.switch.node" (srun(1)). Several switches of one level are
/// one part, "s[4-5].leaf1.n3", and a level without one is an empty part. Rings and toruses have
/// "ring:position.node" and "torus:x:y:z.node".
struct SlurmAddress {
  std::string host;
  std::string address;
  std::string pattern;
};

/// Coordinates from the addresses of all nodes. Levels are called as the pattern calls the nearest,
/// "switch" or "block", then "group", "level-3" and so on. InputError when address and pattern, or
/// two nodes, do not go together, when Slurm's network is flat (the pattern is "node"), and for an
/// address that is of another node than the host.
SiteFile sites_of(const std::vector<SlurmAddress>& addresses, const SiteOrigin& origin);

/// The same as a text, one node a line: "<host> <address> <pattern>", which is what
///   srun sh -c 'echo $(hostname) $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN'
/// prints; a line may stand there once for each task. Lines that do not say where their node is are
/// left out, and notes name them. InputError where no node is left.
DescribedNetwork read_slurm_addresses(const NetworkText& text);

}  // namespace hockney::placement
