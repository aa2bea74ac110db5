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

/// Searches for the limit of MPI_Send without --searches and --budget.
inline constexpr int usual_searches = 3;

/// What the user asked of one launch of hockney-protocol.
struct ProtocolOptions {
  std::int64_t most_bytes = 0;  ///< the largest message that is tried
  std::vector<SendCall> calls;
  std::vector<MessageLayout> layouts;
  std::optional<int>
      searches;            ///< for the limit of MPI_Send; nullopt: as usual, or as a budget says
  int flood_messages = 0;  ///< 0: no floods
  std::int64_t flood_bytes = 0;       ///< all messages of a flood together
  std::vector<Bytes> overhead_sizes;  ///< of LogGP's parameters, as far as they are eager
  LaunchOptions launch;               ///< hops, placement, budget, seed, output and campaign of it
};

/// The options of hockney-protocol, which put what they are given into `options`, parsed and
/// checked as soon as it is read: InputError for anything unknown or out of range. `options` must
/// outlive the command line; it gets the defaults at once.
void add_protocol_options(CommandLine& app, ProtocolOptions& options);

/// What can be judged only when all options are known: InputError for those that contradict each
/// other or make no sense alone.
void check_protocol_options(const ProtocolOptions& options);

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

/// What one rank found, as a text for all: a protocol and times of the pair's first rank only.
std::string to_text(const std::optional<Protocol>& protocol, const std::vector<MemoryUse>& memory,
                    const std::vector<TimedOverhead>& times);

/// Puts what was found into the record: the times as points with series.
void add_findings(const std::string& text, Record& record);

/// How long a launch, and the examination of each pair, may take; nullopt: without end.
std::optional<Seconds> protocol_limit(const LaunchOptions& options);

/// One launch of hockney-protocol from binding to record: one pair of each hop class after the
/// other, the other ranks asleep. After every pair the record so far is written, as interrupted.
/// Returns the record on rank 0 and nullopt elsewhere. InputError when there are fewer than two
/// ranks, or no pair is of a wanted class. Collective.
std::optional<Record> run_protocol(MPI_Comm comm, const ProtocolOptions& options);

/// hockney-protocol.
NamedProgram protocol_program();

}  // namespace hockney::benchmarks::programs
