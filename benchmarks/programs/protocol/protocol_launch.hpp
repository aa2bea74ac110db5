#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/protocol/pair_probes.hpp"
#include "core/cli/command_line.hpp"
#include "core/provenance.hpp"
#include "core/record.hpp"

namespace hockney::benchmarks::programs {

/// Number of searches for the limit of MPI_Send without --searches and --budget.
inline constexpr int usual_searches = 3;

/// The options of one launch of hockney-protocol.
struct ProtocolOptions {
  std::int64_t most_bytes = 0;  ///< largest message tried
  std::vector<SendCall> calls;
  std::vector<MessageLayout> layouts;
  std::optional<int> searches;   ///< for the limit of MPI_Send; nullopt: default, or by the budget
  int flood_messages = 0;        ///< 0: no floods
  std::int64_t flood_bytes = 0;  ///< total bytes of a flood
  std::vector<Bytes> overhead_sizes;  ///< sizes of LogGP's parameters, if eager
  LaunchOptions launch;               ///< its hops, placement, budget, seed, output and campaign
};

/// The samples of one of LogGP's parameters at one size.
struct TimedOverhead {
  std::string operation;
  std::int64_t bytes = 0;
  std::int64_t batch = 1;
  std::vector<std::vector<double>> blocks_seconds;  ///< of each epoch
};

/// The results of one pair. They are the same on both ranks, except the memory, which is each
/// rank's.
struct PairFindings {
  Protocol protocol;
  std::vector<MemoryUse> memory;  ///< during floods; without rank numbers
  std::vector<TimedOverhead> times;
};

/// One launch of hockney-protocol from binding to record: one pair of each hop class after the
/// other, while the other ranks sleep. After every pair the record so far is written, as
/// interrupted. Returns the record on rank 0 and nullopt on others. InputError if there are fewer
/// than two ranks, or if no pair has a wanted class. Collective.
std::optional<Record> run_protocol(MPI_Comm comm, const ProtocolOptions& options);

/// hockney-protocol.
NamedProgram protocol_program();

}  // namespace hockney::benchmarks::programs
