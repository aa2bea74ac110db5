#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "components/health/nights/host_figures.hpp"
#include "core/faults.hpp"
#include "core/node_records.hpp"
#include "core/record.hpp"

namespace hockney::health {

/// The launches of one setting in which every node measured itself (--each-node). Records are added
/// node by node: 12 launches of 10 000 nodes would need gigabytes as records.
class NodeLaunches {
 public:
  /// `name` is the setting's, as in names of series.
  explicit NodeLaunches(const std::string& name) : hosts_(name) {}

  /// `launch` is equal for all nodes of one launch.
  void add(const std::string& launch, const Record& node);
  void add_missing(const std::string& launch, const MissingNode& node) {
    hosts_.add_missing(launch, node);
  }
  /// A launch of the setting in which the nodes did not measure themselves, for its hosts.
  void add_other(const std::string& launch, const Record& record) { hosts_.add(launch, record); }

  /// A record for each launch: that of its first node, whose times are the medians over nodes. The
  /// hosts of all are in the first record that has them.
  [[nodiscard]] std::vector<Record> launches() const;
  [[nodiscard]] HostNight hosts() const { return hosts_.night(); }
  /// Of all nodes, which count as launches.
  [[nodiscard]] const std::vector<FaultFinding>& faults() const { return faults_; }

 private:
  /// A point without its pair of ranks, by curve and bytes.
  using Place = std::pair<std::string, std::int64_t>;

  struct PointOfNodes {
    Series series;  ///< without samples
    std::vector<double> seconds;
  };

  struct Launch {
    Record record;  ///< of the first node, without series
    std::map<Place, PointOfNodes> points;
  };

  std::map<std::string, Launch> launches_;
  std::set<std::string> known_hosts_;
  HostLaunches hosts_;
  std::vector<FaultFinding> faults_;
};

/// Adds findings of other launches to those of some.
void add_faults(std::vector<FaultFinding>& faults, std::span<const FaultFinding> more);

}  // namespace hockney::health
