#pragma once

#include <map>
#include <string>
#include <vector>

#include "placement/network/described_network.hpp"
#include "placement/network/sources.hpp"

namespace hockney::placement {

inline std::string network_fixture(const std::string& name) {
  return std::string(HOCKNEY_SOURCE_DIR "/tests/fixtures/network/") + name;
}

inline SiteFile read_fixture(const std::string& name) {
  return read_network(network_fixture(name)).sites;
}

/// How many pairs of hosts each class has.
inline std::map<std::string, std::size_t> pairs_by_class(const SiteFile& sites) {
  std::map<std::string, std::size_t> pairs;
  for (const ClassPairs& one : class_pairs(sites)) pairs[one.hop] = one.pairs;
  return pairs;
}

}  // namespace hockney::placement
