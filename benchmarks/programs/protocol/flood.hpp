#pragma once

#include <functional>
#include <optional>

#include "benchmarks/programs/protocol/hand_over.hpp"

namespace hockney::benchmarks::programs {

/// Messages that nobody has asked for, one after the other.
struct Flood {
  std::int64_t bytes = 1;  ///< of each message
  int most = 1;            ///< messages
  Receiver receiver = Receiver::progressing;
};

/// How many MPI_Sends return before one is held, while nothing is received. `when_flooded` is
/// called on the receiver while the messages wait. nullopt where the sender was too slow to tell.
/// Collective over the pair; the same answer on both ranks.
std::optional<Unexpected> count_unexpected(PairLink& link, MessageData& data, const Flood& flood,
                                           const std::function<void()>& when_flooded);

}  // namespace hockney::benchmarks::programs
