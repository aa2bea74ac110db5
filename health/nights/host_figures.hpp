#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "health/history/database.hpp"

namespace hockney::health {

/// The facts of one host, by their names in environments: "host.cpu_model". Unknown memory, GPUs
/// and serial are left out. Memory is rounded up to the size of its modules: the kernel keeps some
/// of it, and another kernel keeps another amount.
std::map<std::string, std::string> host_facts(const Host& host);

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
/// copies, CPUs, memory and GPUs of the machine probes. Their series are those of all hosts with
/// the key `host`.
HostNight figures_of_hosts(std::span<const Record> launches, const std::string& setting);

/// The same for a night; empty if the launches have one host, since then the figures of all hosts
/// are its own.
HostNight host_night(std::span<const Record> launches, const std::string& setting);

}  // namespace hockney::health
