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

/// What can tell where hosts are, in the order in which it is asked.
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

/// A source that was asked first and told nothing.
struct UnusedSource {
  NetworkSource source = NetworkSource::slurm_address;
  std::string why;
};

/// A network as it was found.
struct FoundNetwork {
  SiteFile sites;                        ///< with its origin
  std::optional<InferredSites> guess{};  ///< where it is inferred: how well it fits
  std::vector<UnusedSource> unused{};    ///< in the order in which they were asked
  std::vector<std::string> notes{};      ///< what was left out of it, and chosen in it
};

/// What sources that are asked live need of the machine.
struct Machine {
  /// What a program prints that is found in PATH; nullopt where no variable has that name, or it
  /// fails.
  std::function<std::optional<std::string>(const std::vector<std::string>& command)> output_of;
  bool is_in_job = false;  ///< of Slurm: elsewhere its controller may let one wait for long
  std::string root{};      ///< stands for / in the names of files
};

/// The sources that tell of all nodes and can be asked on this one, in order: scontrol,
/// ibnetdiscover, and on a Cray /etc/hosts. `only` asks one of them. nullopt where none tells
/// anything; `unused` says why then, too.
std::optional<FoundNetwork> ask_machine(const Machine& machine, std::vector<UnusedSource>& unused,
                                        std::optional<NetworkSource> only = std::nullopt);

/// What chooses among the networks, or names the hosts, of a description. Empty: what its reader
/// chooses by itself.
struct NetworkChoice {
  HostsOfGuids hosts{};      ///< of an InfiniBand fabric
  std::string topology{};    ///< the name of one of topology.yaml
  std::string interface {};  ///< on which hosts hear the switches (LLDP); several with commas
};

/// A file that describes a network, in whatever of the formats it is written: what it says tells
/// which. A folder holds what lldpctl printed on each host: <host>.json with `-f json` or `-f
/// json0`, <host>.txt with `-f keyvalue`. A host whose file cannot be read is left out. InputError
/// for what is none of them, and as the readers throw them.
FoundNetwork read_network(const std::string& path, const NetworkChoice& choice = {});

/// Whether a folder holds what lldpctl printed: one of its documents says so.
bool is_lldp_folder(const std::string& folder);

/// read_guid_lines of a file; InputError if it cannot be read.
HostsOfGuids load_guid_lines(const std::string& file);

/// The hosts of records by the GUIDs of their InfiniBand adapters.
HostsOfGuids hosts_of_guids(const std::vector<Record>& records);

/// The network of the hosts of records: what the nodes knew of their places, else a guess from the
/// latencies between them. InputError where neither tells anything.
FoundNetwork network_of(const std::vector<Record>& records, const std::string& name);

}  // namespace hockney::placement
