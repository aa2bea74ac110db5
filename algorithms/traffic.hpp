#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "algorithms/schedule.hpp"

namespace hockney {

/// What one rank sends to another in one collective.
struct PeerTraffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;  ///< [B]

  friend bool operator==(const PeerTraffic&, const PeerTraffic&) = default;
};

/// By sender and receiver; pairs without messages are left out.
using Traffic = std::map<std::pair<int, int>, PeerTraffic>;

Traffic traffic_of(const Schedule& schedule);

}  // namespace hockney
