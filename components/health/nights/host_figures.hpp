#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "components/health/history/database.hpp"
#include "core/node_records.hpp"
#include "core/record.hpp"

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
/// the key `host`. Records are added one by one; of each its launch medians are kept, not the
/// record.
class HostLaunches {
 public:
  explicit HostLaunches(std::string setting);
  HostLaunches(const HostLaunches&) = delete;
  HostLaunches& operator=(const HostLaunches&) = delete;
  HostLaunches(HostLaunches&&) noexcept;
  HostLaunches& operator=(HostLaunches&&) noexcept;
  ~HostLaunches();

  /// `launch` is equal for all records of one launch.
  void add(const std::string& launch, const Record& record);
  /// A node that has no figures in this launch.
  void add_missing(const std::string& launch, const MissingNode& node);

  /// Empty if the records have one host, since then the figures of all hosts are its own; but a
  /// host that a record names for itself (--each-node, imports) always has its figures.
  [[nodiscard]] HostNight night() const;
  /// The same of any number of hosts.
  [[nodiscard]] HostNight all() const;

 private:
  class Values;
  std::unique_ptr<Values> values_;
};

/// night() and all() of launches that are in memory.
HostNight host_night(std::span<const Record> launches, const std::string& setting);
HostNight figures_of_hosts(std::span<const Record> launches, const std::string& setting);

}  // namespace hockney::health
