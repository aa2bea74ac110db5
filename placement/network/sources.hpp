#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "core/site_file.hpp"
#include "core/text.hpp"
#include "placement/network/inferred_sites.hpp"
#include "placement/network/infiniband.hpp"

namespace hockney::placement {

/// Sources of the network of hosts, in the order of queries.
enum class NetworkSource {
  slurm_address,   ///< SLURM_TOPOLOGY_ADDR of each node
  slurm_topology,  ///< scontrol show topology, topology.conf
  infiniband,      ///< ibnetdiscover
  lldp,            ///< lldpctl -f json of each node
  cray,            ///< the names of the places of a Cray's nodes
  sites,           ///< a site file
  latencies        ///< measured: a guess
};

constexpr auto words_of(std::type_identity<NetworkSource>) {
  return std::to_array<std::string_view>(
      {"slurm-address", "slurm-topology", "infiniband", "lldp", "cray", "sites", "latencies"});
}

/// An earlier source without a result.
struct UnusedSource {
  NetworkSource source = NetworkSource::slurm_address;
  std::string why;
};

/// A network and its sources.
struct FoundNetwork {
  SiteFile sites;                        ///< with its origin
  std::optional<InferredSites> guess{};  ///< if inferred: quality of the fit
  std::vector<UnusedSource> unused{};    ///< in the order of queries
  std::vector<std::string> notes{};      ///< parts left out, and choices made
};

/// Access to the machine for live sources.
struct Machine {
  /// Returns the output of a program in PATH; nullopt if it is missing or fails.
  std::function<std::optional<std::string>(const std::vector<std::string>& command)> output_of;
  bool is_in_job = false;  ///< in a Slurm job; outside, its controller may respond slowly
  std::string root{};      ///< replaces / in names of system files
};

/// Queries the sources that describe all nodes from this one, in order: scontrol, ibnetdiscover,
/// and on a Cray /etc/hosts. `only` queries just one of them. nullopt if none has a network;
/// `unused` has the reasons, in any case.
std::optional<FoundNetwork> query_machine(const Machine& machine, std::vector<UnusedSource>& unused,
                                          std::optional<NetworkSource> only = std::nullopt);

/// Options that choose a network, or name its hosts. Empty: the reader's default.
struct NetworkChoice {
  HostsOfGuids hosts{};    ///< of an InfiniBand fabric
  std::string topology{};  ///< a name in topology.yaml
  std::string interface {
  };  ///< of the switches (LLDP; several with commas), or a device (InfiniBand)
};

/// Reads a file that describes a network; its content determines the format. A folder has the
/// output of lldpctl for each host: <host>.json with `-f json` or `-f json0`, <host>.txt with `-f
/// keyvalue`. Hosts with unreadable files are left out. InputError for unknown formats, and from
/// the readers.
FoundNetwork read_network(const std::string& path, const NetworkChoice& choice = {});

/// Whether a folder has output of lldpctl, judged by its documents.
bool is_lldp_folder(const std::string& folder);

/// read_guid_lines of a file; InputError if it cannot be read.
HostsOfGuids load_guid_lines(const std::string& file);

/// The hosts of records by the GUIDs of their InfiniBand adapters.
HostsOfGuids hosts_of_guids(const std::vector<Record>& records);

/// The network of the hosts of records, from the places that the nodes recorded, else inferred from
/// latencies. InputError if neither gives a network.
FoundNetwork network_of(const std::vector<Record>& records, const std::string& name);

}  // namespace hockney::placement
