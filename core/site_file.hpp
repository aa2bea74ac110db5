#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/record.hpp"

namespace hockney {

class JsonNode;

/// A list of hosts that cannot be parsed. The reader of the document adds its place.
struct HostListError : InputError {
  explicit HostListError(const Message& words) : InputError(words), message(words) {}
  Message message;
};

/// Most hosts in a list; more are taken for a typing error.
inline constexpr std::size_t most_hosts = 1'000'000;

/// Expands a list of hosts in Slurm's form: names separated by commas, each with any number of
/// brackets that contain numbers and ranges, "rack[0-1]node[01-32,40],login". A number is as wide
/// as the first of its range is written: "nid[001-128]" is nid001 to nid128. The result has the
/// order of the list, with the last bracket varying fastest, and keeps repetitions. HostListError
/// on other text.
std::vector<std::string> expand_hosts(std::string_view list);

/// The places of hosts in a network, from document `hockney.sites/1`: nested sites from near to
/// far, such as router and group. The distance of two hosts is the first level whose site they
/// share. If they share none, it is the number of links between their last sites, if known.
struct SiteFile {
  std::vector<std::string> levels;                        ///< "router", "group"
  std::vector<std::string> hosts;                         ///< in the order of the file
  std::map<std::string, std::vector<std::string>> sites;  ///< of each host, one for each level
  /// Links between two sites of the last level, the lesser name first.
  std::map<std::string, std::map<std::string, int>> hops{};
  std::optional<SiteOrigin> origin{};  ///< nullopt: written by a person

  friend bool operator==(const SiteFile&, const SiteFile&) = default;
};

/// Hosts are written as in Slurm, "nid[001-128],login1". InputError for:
/// - malformed text, or a host that is listed twice;
/// - a host with more or fewer sites than there are levels;
/// - links of a name that is no site of the last level.
SiteFile read_sites(const JsonNode& document);
SiteFile load_sites(const std::string& file);

/// The document; `read_sites` of it gives an equal file.
nlohmann::json to_json(const SiteFile& sites);

/// "same-router", "same-group" and so on, by the first shared level. Without a shared one: "3-hops"
/// if the links are counted, else "other-group". "cross-node" if the file has no levels,
/// "same-node" for a host and itself. InputError for an unknown host.
std::string network_hop(const SiteFile& sites, const std::string& host, const std::string& other);

/// Whether the file has the host, by its full name or by the part before the first dot.
bool has_host(const SiteFile& sites, const std::string& host);

/// The sites of a host, one for each level. InputError for an unknown one.
const std::vector<std::string>& sites_of(const SiteFile& file, const std::string& host);

/// Every class that pairs of the file's hosts can have, near to far, without "same-node".
std::vector<std::string> network_hops(const SiteFile& sites);

/// Sets the network class of every point between two ranks on different hosts. Classes other than
/// "cross-node", which another source has set, stay.
void name_network_hops(std::vector<Record>& records, const SiteFile& sites);

}  // namespace hockney
