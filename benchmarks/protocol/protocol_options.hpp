#pragma once

#include <cstdint>
#include <vector>

#include "benchmarks/launch/options.hpp"
#include "benchmarks/protocol/send_call.hpp"

namespace hockney {

/// What the user asked of one launch of hockney-protocol.
struct ProtocolOptions {
  std::int64_t most_bytes = 0;  ///< the largest message that is tried
  std::vector<SendCall> calls;
  std::vector<MessageLayout> layouts;
  int searches = 1;                   ///< for the limit of MPI_Send; a budget decides instead
  int flood_messages = 0;             ///< 0: no floods
  std::int64_t flood_bytes = 0;       ///< all messages of a flood together
  std::vector<Bytes> overhead_sizes;  ///< of LogGP's parameters, as far as they are eager
  LaunchOptions launch;               ///< hops, placement, budget, seed, output and campaign of it
};

}  // namespace hockney
