#pragma once

#include <cstdint>
#include <vector>

#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/run_options.hpp"
#include "benchmarks/programs/protocol/send_call.hpp"
#include "core/cli/command_line.hpp"

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

/// The options of hockney-protocol on a command line, as texts until `options()` checks them:
/// InputError for anything unknown or out of range.
class ProtocolOptionParser {
 public:
  explicit ProtocolOptionParser(CLI::App& app);

  [[nodiscard]] ProtocolOptions options() const;

 private:
  std::string most_ = "4M";
  std::string calls_ = "all";
  std::string layouts_ = "all";
  std::string searches_;
  std::string budget_;
  std::string flood_messages_ = "4096";
  std::string flood_bytes_ = "64M";
  std::string overhead_sizes_ = "1,8,64,512,2K,4K";
  std::string hops_;
  std::string seed_;
  PlacementOptionGroup placement_;
  OutputOptionGroup output_;
  CampaignOptionGroup campaign_;
};

}  // namespace hockney
