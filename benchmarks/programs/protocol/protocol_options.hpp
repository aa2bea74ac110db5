#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/protocol/send_call.hpp"
#include "core/cli/command_line.hpp"

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
void add_protocol_options(CLI::App& app, ProtocolOptions& options);

/// What can be judged only when all options are known: InputError for those that contradict each
/// other or make no sense alone.
void check_protocol_options(const ProtocolOptions& options);

}  // namespace hockney::benchmarks::programs
