#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "health/history/database.hpp"

namespace hockney::health {

/// What the hosts of a night measured, each for itself.
struct HostNight {
  std::vector<NightFigure> figures;  ///< with the digest of their host's environment
  std::vector<Environment> environments;
  std::vector<Absence> absences;  ///< planned points of a host without a value, with the reason
};

/// The host of each rank. Without places of ranks, the only host is that of all ranks.
class RankHosts {
 public:
  explicit RankHosts(const Record& record);

  /// The host of all ranks of a point; empty if they are on several, or if it is unknown.
  [[nodiscard]] std::string of(const Point& point) const;
  [[nodiscard]] std::string of(std::span<const int> ranks) const;

 private:
  std::vector<std::string> by_rank_;
  std::string only_;  ///< the host of all ranks
};

/// Figures of each host, for launches of one setting: the times (bandwidths, for windows of
/// messages) of points whose ranks are all on it, as medians over launches, and the cache lines,
/// copies and CPUs of the machine probes. Their series are those of all hosts with the key `host`.
/// Empty if the launches have one host, since then the figures of all hosts are its own.
HostNight host_night(std::span<const Record> launches, const std::string& setting);

}  // namespace hockney::health
