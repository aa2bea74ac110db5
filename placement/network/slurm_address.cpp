#include "placement/network/slurm_address.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "placement/network/nested_sites.hpp"

namespace hockney::placement {
namespace {

/// The sites of an address, near to far, without the node; why there are none, thrown as `reject`
/// wants it.
template <class Reject>
std::vector<std::string> way_of(const SlurmAddress& at, Reject reject) {
  const std::vector<std::string> pattern = split(at.pattern, '.');
  if (pattern.back() != "node") {
    reject("the pattern '" + at.pattern + "'", "that of Slurm ends in 'node'");
  }
  if (pattern.size() == 1) reject("the pattern 'node'", "Slurm knows no switches or blocks");
  const std::vector<std::string> parts = split(at.address, '.');
  if (parts.size() < pattern.size()) {
    reject("the address '" + at.address + "'",
           "it has fewer parts than its pattern '" + at.pattern + "'");
  }
  // Names of nodes may have dots, which come last.
  std::vector<std::string> way(parts.begin(), parts.begin() + std::ssize(pattern) - 1);
  if (std::ranges::any_of(way, &std::string::empty)) {
    reject("the address '" + at.address + "'", "a part of it is empty");
  }
  // Names below different roots may be the same.
  for (std::size_t i = 1; i < way.size(); ++i) way[i] = way[i - 1] + "." + way[i];
  std::ranges::reverse(way);
  return way;
}

/// What Slurm calls the node of a well-formed address; its name may have dots.
std::string node_in(const SlurmAddress& at) {
  const std::vector<std::string> parts = split(at.address, '.');
  const auto above = std::ssize(split(at.pattern, '.')) - 1;
  return join({parts.begin() + above, parts.end()}, ".");
}

/// Adds one node; `reject(problem, why)` throws.
template <class Reject>
void add(NestedSites& nested, const SlurmAddress& at, Reject reject) {
  if (!is_host_name(at.host)) reject("'" + at.host + "'", "it is no name of a host");
  const std::vector<std::string> way = way_of(at, reject);
  const std::vector<std::string> pattern = split(at.pattern, '.');
  const auto levels = level_names(way.size(), pattern[pattern.size() - 2]);
  if (nested.levels.empty()) nested.levels = levels;
  if (nested.levels != levels) {
    reject("the pattern '" + at.pattern + "'", "that of the nodes before was another");
  }
  const auto [known, is_new] = nested.of_host.emplace(at.host, way);
  if (!is_new && known->second != way) {
    reject("a second address of '" + at.host + "'", "a node is in one place");
  }
}

}  // namespace

SiteFile sites_of(const std::vector<SlurmAddress>& addresses, const SiteOrigin& origin) {
  NestedSites nested;
  for (const SlurmAddress& at : addresses) {
    const auto reject = [&](const std::string& problem, const std::string& why) {
      throw InputError({"SLURM_TOPOLOGY_ADDR of " + inert(at.host) + ": " + inert(problem), why,
                        "name another source of the network"});
    };
    add(nested, at, reject);
    const std::string node = node_in(at);
    const auto is_short_of = [](const std::string& name, const std::string& full) {
      return full == name || full.starts_with(name + ".");
    };
    if (is_short_of(node, at.host) || is_short_of(at.host, node)) continue;
    reject("the address '" + at.address + "'", "it is that of another node");
  }
  return sites_of(nested, origin);
}

SiteFile read_slurm_addresses(const NetworkText& text) {
  NestedSites nested;
  NumberedLines lines(text);
  while (lines.next()) {
    const auto reject = [&](const std::string& problem, const std::string& why) {
      throw lines.error(problem, why, "write host, SLURM_TOPOLOGY_ADDR and its _PATTERN");
    };
    const std::vector<std::string> words = words_of_line(lines.line());
    if (words.size() != 3) reject(std::to_string(words.size()) + " words", "a line has three");
    add(nested, {.host = words[0], .address = words[1], .pattern = words[2]}, reject);
  }
  if (nested.of_host.empty()) {
    throw InputError({inert(text.name) + ": no addresses of nodes", "no line says anything",
                      "write host, SLURM_TOPOLOGY_ADDR and its _PATTERN"});
  }
  return sites_of(nested, {.source = "slurm-address", .detail = text.name, .inferred = false});
}

}  // namespace hockney::placement
