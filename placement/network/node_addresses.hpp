#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/site_file.hpp"
#include "placement/network/described_network.hpp"

namespace hockney::placement {

/// The sites in the name of a Cray node, near to far; nullopt for any other text.
/// XC, cname "c3-0c1s7n2" (cabinet 3 of row 0, chassis 1, slot 7, node 2): the router of a blade
/// with four nodes, the chassis of 16 blades, and the group of two cabinets.
/// EX, xname "x1000c3s7b1n0" (cabinet, chassis, slot, board, node): the chassis and the cabinet.
/// The name does not contain the dragonfly group.
struct CrayPlace {
  bool is_ex = false;
  std::vector<std::string> sites;
};
std::optional<CrayPlace> cray_place(std::string_view name);

/// A host and the name of its place, from /proc/cray_xt/cname.
struct CrayNode {
  std::string host;
  std::string place;
};

/// InputError for an invalid name, and for names of both kinds.
SiteFile sites_of(const std::vector<CrayNode>& nodes, const SiteOrigin& origin);

/// Reads lines with a host and its place, "nid00012 c0-0c0s3n0", as in /etc/hosts; addresses are
/// skipped. Lines without a place, and a second place of a host, are left out and noted. InputError
/// if no host is left.
DescribedNetwork read_cray_names(const NetworkText& text);

/// Slurm's variables of a task about its node (srun(1)): SLURM_TOPOLOGY_ADDR, "spine.leaf1.n3", and
/// SLURM_TOPOLOGY_ADDR_PATTERN, "switch.switch.node". Several switches of one level are one part,
/// "s[4-5].leaf1.n3"; a level without a switch is an empty part. Rings and toruses have
/// "ring:position.node" and "torus:x:y:z.node".
struct SlurmAddress {
  std::string host;
  std::string address;
  std::string pattern;
};

/// Coordinates from the addresses of all nodes. The nearest level has its name from the pattern,
/// "switch" or "block"; then follow "group", "level-3" and so on. InputError if address and
/// pattern, or two nodes, are inconsistent, or an address is of another node. InputError also if
/// Slurm's network is flat (the pattern is "node").
SiteFile sites_of(const std::vector<SlurmAddress>& addresses, const SiteOrigin& origin);

/// Reads the same as a text, one line per node: "<host> <address> <pattern>", as printed by
///   srun sh -c 'echo $(hostname) $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN'
/// A line may be repeated for each task. Lines without a place are left out, and notes name them.
/// InputError if no node is left.
DescribedNetwork read_slurm_addresses(const NetworkText& text);

}  // namespace hockney::placement
