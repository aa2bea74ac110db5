#pragma once

#include "benchmarks/launch/run_options.hpp"
#include "benchmarks/protocol/protocol_options.hpp"
#include "cli/cli11.hpp"

namespace hockney {

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
