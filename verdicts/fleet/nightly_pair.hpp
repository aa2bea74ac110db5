#pragma once

#include <cstddef>
#include <string>

namespace hockney {

/// One pair of nodes in one night, for locating slow nodes and links.
struct NightlyPair {
  std::string a;       ///< host
  std::string b;       ///< host
  std::string hop;     ///< hop class
  double seconds = 0;  ///< median of the launch medians
  std::size_t launches = 0;
};

/// A pair of nodes in this night, at the point that it was measured at.
struct NightPair {
  std::string point;  ///< "pingpong/ranks=2 bytes=8 setting=nightly/seconds"
  NightlyPair pair;
};

}  // namespace hockney
