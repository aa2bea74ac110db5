#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/site_file.hpp"
#include "application/analysis/eager.hpp"
#include "application/analysis/replay.hpp"
#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"
#include "models/fit_set.hpp"

namespace hockney::projection {

/// Which end a parameter is taken from: of its interval over launches, widened by the error of the
/// fit.
enum class Level { low, middle, high };

/// How long processors are busy with a message, as hockney-protocol found it for small ones.
struct Overheads {
  models::Fit send;
  models::Fit receive;
};

/// One of them for a message of a hop class, at most all that the message takes; beyond the sizes
/// measured its share of that stays as it was [s].
double overhead_seconds(const models::Fit& overhead, const collectives::HopCost& cost,
                        std::int64_t bytes);

/// Which of the records count, and for whom.
struct Selection {
  std::vector<std::string> hosts;      ///< that ranks of the program are, or may be, on
  std::optional<std::string> setting;  ///< of a campaign; nullopt: the only one
  std::string mpi_library;             ///< of the program: its ping-pongs count where there are any
  std::map<std::string, std::string> environment{};  ///< of the program: its eager limits
};

/// A machine as microbenchmarks found it: what messages of each hop class cost, how far they go
/// without a receive, and what collectives take.
class Machine {
 public:
  /// `records` with the hop classes of `sites` (name_network_hops); without a site file nodes are
  /// equally far apart. InputError where no ping-pong was measured, or several settings were.
  Machine(std::span<const Record> records, const std::optional<SiteFile>& sites,
          const Selection& selection);

  /// Of ranks on these hosts. InputError naming a hop class between them that was not measured.
  [[nodiscard]] collectives::RankNetwork network(const std::vector<std::string>& hosts,
                                                 Level level) const;

  /// nullptr where hockney-protocol measured none in a node, or between nodes.
  [[nodiscard]] const Overheads* overheads(applications::Reach reach) const;

  /// Those that hockney-protocol found, or the program's environment asks for; the largest there
  /// are where it found none.
  [[nodiscard]] const applications::SendLimits& limits() const { return limits_; }
  [[nodiscard]] const std::vector<applications::EagerLimits>& found_limits() const {
    return found_limits_;
  }
  /// Whether it found one of each reach that occurs between these hosts.
  [[nodiscard]] bool knows_limits(const std::vector<std::string>& hosts) const;

  [[nodiscard]] const collectives::Fits& collectives() const { return collectives_; }

  /// Whether the parameters have intervals: enough launches of every class.
  [[nodiscard]] bool has_intervals() const { return has_intervals_; }

  /// What speaks against it, in a sentence each.
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }

 private:
  models::FitSet chosen_classes(const models::FitSet& fits, const Selection& selection,
                                const std::vector<std::string>& network_classes);
  void take_overheads(const models::FitSet& fits, const std::vector<std::string>& network_classes);

  std::map<Level, collectives::MeasuredNetwork> networks_;
  std::map<applications::Reach, Overheads> overheads_;
  std::vector<applications::EagerLimits> found_limits_;
  applications::SendLimits limits_;
  collectives::Fits collectives_;
  bool has_intervals_ = true;
  std::vector<std::string> doubts_;
};

}  // namespace hockney::projection
