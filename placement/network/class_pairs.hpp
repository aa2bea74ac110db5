#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/site_file.hpp"

namespace hockney::placement {

/// A hop class of a network, how many pairs of hosts are in it, and one of them.
struct ClassPairs {
  std::string hop;
  std::size_t pairs = 0;
  std::string first;
  std::string second;

  friend bool operator==(const ClassPairs&, const ClassPairs&) = default;
};

/// The classes that pairs of hosts have, near to far, as network_hops orders them. Takes as long as
/// there are pairs of places, not of hosts.
std::vector<ClassPairs> class_pairs(const SiteFile& sites);

/// How many sites each level has, in the order of the levels.
std::vector<std::size_t> sites_of_levels(const SiteFile& sites);

}  // namespace hockney::placement
