#pragma once

#include <optional>
#include <string>

#include "benchmarks/launch/options.hpp"
#include "cli/cli11.hpp"

namespace hockney {

/// Where the ranks run.
class PlacementOptionGroup {
 public:
  void add_to(CLI::App& app);
  void read_into(LaunchOptions& options) const;

 private:
  std::string bind_ = "hops";
  bool allow_misplaced_ = false;
};

/// What is written and printed.
class OutputOptionGroup {
 public:
  void add_to(CLI::App& app);
  void read_into(LaunchOptions& options) const;

 private:
  std::string output_;
  bool json_ = false;
};

/// The place in a campaign, which `hockney run` gives.
class CampaignOptionGroup {
 public:
  void add_to(CLI::App& app);
  void read_into(LaunchOptions& options) const;

 private:
  /// InputError for a part of a place without a campaign to belong to.
  [[nodiscard]] std::optional<CampaignPlace> parse_place() const;

  std::string campaign_;
  std::string setting_;
  std::string axes_;
  std::string launch_;
};

}  // namespace hockney
