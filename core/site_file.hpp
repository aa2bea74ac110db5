#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/record.hpp"

namespace hockney {

/// A list of hosts that cannot be read; the reader of the document around it says where it stands.
struct HostListError : InputError {
  explicit HostListError(const Message& words) : InputError(words), message(words) {}
  Message message;
};

/// More hosts in one list than this are a slip of the pen.
inline constexpr std::size_t most_hosts = 1'000'000;

/// The hosts of a list as Slurm writes it: names separated by commas, each with any number of
/// brackets that hold numbers and ranges, "rack[0-1]node[01-32,40],login". A number is as wide as
/// the first of its range is written, "nid[001-128]" is nid001 to nid128. In the order of the list,
/// the last bracket counting fastest; repeats stay. HostListError on anything else.
std::vector<std::string> expand_hosts(std::string_view list);

/// Where the hosts of a network are, as document `hockney.sites/1` says: nested sites, near to far,
/// such as router and group. Two hosts are as far apart as the first level at which they meet;
/// those that meet nowhere, as many links as there are between their last sites, where that is
/// known.
struct SiteFile {
  std::vector<std::string> levels;                        ///< "router", "group"
  std::vector<std::string> hosts;                         ///< in the order of the file
  std::map<std::string, std::vector<std::string>> sites;  ///< of each host, one for each level
  /// Links between two sites of the last level, the lesser name first.
  std::map<std::string, std::map<std::string, int>> hops{};
  std::optional<SiteOrigin> origin{};  ///< nullopt: a person wrote the file

  friend bool operator==(const SiteFile&, const SiteFile&) = default;
};

/// Hosts are written as in Slurm, "nid[001-128],login1". InputError on
/// anything malformed, a host that is listed twice, or one with more or fewer sites than there are
/// levels, and links between what is no site of the last level.
SiteFile read_sites(const JsonNode& document);
SiteFile load_sites(const std::string& file);

/// The document; `read_sites` of it gives an equal file.
nlohmann::json to_json(const SiteFile& sites);

/// "same-router", "same-group" or, for hosts that meet nowhere, "3-hops" where the links between
/// them are counted and "other-group" where not; "cross-node" where the file has no levels,
/// "same-node" for a host and itself. InputError for an unknown host.
std::string network_hop(const SiteFile& sites, const std::string& host, const std::string& other);

/// Whether the file has the host, or what stands before the first dot of its name.
bool has_host(const SiteFile& sites, const std::string& host);

/// The sites of a host, one for each level. InputError for an unknown one.
const std::vector<std::string>& sites_of(const SiteFile& file, const std::string& host);

/// Every class that hosts of the file can have, near to far, without "same-node".
std::vector<std::string> network_hops(const SiteFile& sites);

/// Gives every point between two ranks of different hosts its class in the network. What is named
/// already by another source than "cross-node" stays.
void name_network_hops(std::vector<Record>& records, const SiteFile& sites);

}  // namespace hockney
