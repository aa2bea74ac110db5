#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/site_file.hpp"
#include "placement/network/class_pairs.hpp"
#include "placement/network/cray.hpp"
#include "placement/network/infiniband.hpp"
#include "placement/network/lldp.hpp"
#include "placement/network/slurm_address.hpp"
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
  come_back_as_sites([&] { return placement::read_slurm_topology({bytes, "f"}); });
}

void slurm_address(const std::string& bytes) {
  come_back_as_sites([&] { return placement::read_slurm_addresses({bytes, "f"}); });
}

void ibnetdiscover(const std::string& bytes) {
  come_back_as_sites([&] {
    return sites_of(placement::read_ibnetdiscover({bytes, "f"}), placement::HostsOfGuids(), origin);
  });
}

void lldp(const std::string& bytes) {
  come_back_as_sites([&] {
    const auto heard = placement::read_lldp(parse_json(bytes, "f"));
    const std::map<std::string, std::vector<placement::LldpNeighbour>> hosts{{"a", heard},
                                                                             {"b", heard}};
    return sites_of(hosts, origin);
  });
}

void cray(const std::string& bytes) {
  come_back_as_sites([&] { return placement::read_cray_names({bytes, "f"}); });
}

}  // namespace hockney::fuzz
