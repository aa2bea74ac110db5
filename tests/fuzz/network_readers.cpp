#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/json_node.hpp"
#include "core/site_file.hpp"
#include "placement/network/described_network.hpp"
#include "placement/network/infiniband.hpp"
#include "placement/network/lldp.hpp"
#include "placement/network/node_addresses.hpp"
#include "placement/network/slurm_topology.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/fuzz/trials.hpp"

namespace hockney::fuzz {
namespace {

constexpr std::size_t few = 2000;  // hosts, whose classes are counted

/// What a reader of a network takes is a site file that is read as the same.
template <class Read>
void come_back_as_sites(Read read) {
  std::optional<SiteFile> sites;
  if (!takes([&] { sites = read(); })) return;
  try {
    if (read_sites(parse_json(document<SiteFile>(*sites), "f")) != *sites) {
      throw std::logic_error("read again it is another network");
    }
  } catch (const InputError& error) {
    throw std::logic_error(std::string("the site file is refused: ") + error.what());
  }
  if (sites->hosts.size() < few) placement::class_pairs(*sites);
}

const SiteOrigin origin{"fuzz", "f", false};

}  // namespace

void slurm_topology(const std::string& bytes) {
  come_back_as_sites([&] { return placement::read_slurm_topology({bytes, "f"}).sites; });
}

void slurm_yaml(const std::string& bytes) {
  come_back_as_sites([&] { return placement::read_slurm_yaml({bytes, "f"}).sites; });
}

void slurm_address(const std::string& bytes) {
  come_back_as_sites([&] { return placement::read_slurm_addresses({bytes, "f"}).sites; });
}

void ibnetdiscover(const std::string& bytes) {
  come_back_as_sites([&] {
    const placement::Fabric fabric = placement::read_ibnetdiscover({bytes, "f"});
    return sites_of(fabric, placement::HostsOfGuids(), origin).sites;
  });
}

void guid_lines(const std::string& bytes) {
  placement::HostsOfGuids hosts;
  if (!takes([&] { hosts = placement::read_guid_lines({bytes, "f"}); })) return;
  for (const auto& [guid, host] : hosts) {
    if (guid.size() != 16) throw std::logic_error("a GUID of other than 16 digits");
  }
}

void lldp(const std::string& bytes) {
  come_back_as_sites([&] {
    const auto heard = placement::read_lldp(parse_json(bytes, "f"));
    placement::LldpHosts hosts{{"a", heard}, {"b", heard}};
    for (std::size_t i = 0; i < heard.size(); ++i) {
      hosts["n" + std::to_string(i)] = {heard[i], heard.front()};
    }
    return sites_of(hosts, origin).sites;
  });
}

void lldp_lines(const std::string& bytes) {
  come_back_as_sites([&] {
    return sites_of(placement::LldpHosts{{"a", placement::read_lldp_lines({bytes, "f"})}}, origin)
        .sites;
  });
}

void cray(const std::string& bytes) {
  come_back_as_sites([&] { return placement::read_cray_names({bytes, "f"}).sites; });
}

}  // namespace hockney::fuzz
