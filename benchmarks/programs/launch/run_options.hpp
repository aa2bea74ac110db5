#pragma once

#include <optional>
#include <string>

#include "benchmarks/harness/placement.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/cli/command_line.hpp"

namespace hockney {

/// How it is measured: for how long, from which start, in which order.
class SamplingOptionGroup {
 public:
  explicit SamplingOptionGroup(const Program& program) : clock_checks_(program.clock_checks) {}

  void add_to(CLI::App& app);
  void read_into(LaunchOptions& options) const;

 private:
  std::string clock_checks_;
  std::string epochs_;
  std::string budget_;
  std::string precision_;
  std::string samples_;
  std::string start_;
  bool local_times_ = false;
  bool tails_ = false;
  std::string seed_;
};

/// How ranks begin together: as asked; else at an agreed time, or after a barrier where ranks share
/// CPUs and under a simulator. InputError for an agreed time under a simulator.
StartScheme choose_start(const LaunchOptions& options, const JobPlacement& job);

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
