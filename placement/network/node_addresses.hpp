#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/site_file.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {

/// The sites that the name of a Cray node tells, near to far; nullopt for any other text.
/// XC, cname "c3-0c1s7n2" (cabinet 3 of row 0, chassis 1, slot 7, node 2): the router, which the
/// four nodes of a blade share, the chassis of 16 blades, and the group of two cabinets.
/// EX, xname "x1000c3s7b1n0" (cabinet, chassis, slot, board, node): the chassis and the cabinet;
/// which cabinets are one group of the dragonfly, the name does not tell.
struct CrayPlace {
  bool is_ex = false;
  std::vector<std::string> sites;
};
std::optional<CrayPlace> cray_place(std::string_view name);

/// A host and the name of its place, as /proc/cray_xt/cname has it.
struct CrayNode {
  std::string host;
  std::string place;
};

/// InputError for what is no such name, and for names of both kinds.
SiteFile sites_of(const std::vector<CrayNode>& nodes, const SiteOrigin& origin);

/// Lines that hold the name of a host and that of its place: "nid00012 c0-0c0s3n0", as in
/// /etc/hosts after the address, which is left out. A line without a place, and a second place of a
/// host, are left out, and notes name them. InputError where no host is left.
DescribedNetwork read_cray_names(const NetworkText& text);

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
