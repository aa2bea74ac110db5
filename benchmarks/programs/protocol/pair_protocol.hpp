#pragma once

#include <functional>

#include "benchmarks/programs/protocol/pair_link.hpp"
#include "benchmarks/programs/protocol/protocol_options.hpp"
#include "core/protocol.hpp"
#include "core/provenance.hpp"

namespace hockney::benchmarks::programs {

/// The samples of one of LogGP's parameters at one size.
struct TimedOverhead {
  std::string operation;
  std::int64_t bytes = 0;
  std::int64_t batch = 1;
  std::vector<std::vector<double>> blocks_seconds;  ///< samples of each epoch
};

/// What one pair found, the same on both ranks but for the memory, which is each rank's own.
struct PairFindings {
  Protocol protocol;
  std::vector<MemoryUse> memory;  ///< of floods; without ranks
  std::vector<TimedOverhead> times;
};

/// Asks everything between the two ranks of `link`: the limit of every call, layout and kind of
/// receiver, again and again that of MPI_Send, floods, and the overheads of eager messages. Names
/// neither hop nor pair. Collective.
PairFindings examine_pair(PairLink& link, const ProtocolOptions& options);

}  // namespace hockney::benchmarks::programs
