#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "components/health/detection/peers.hpp"
#include "components/health/history/database.hpp"
#include "components/health/history/reading.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "report/exports.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {

/// A figure of one node that is worse than its peers', or than it was.
struct NodeShift {
  std::string host;
  SeriesKind figure;  ///< its name is without the host
  double value = 0;   ///< of the judged night [unit of the figure]
  double peers = 0;   ///< median of its peers that night [unit of the figure]
  double change = 0;  ///< [ratio - 1] from its usual level; against peers: from theirs
  Interval interval;  ///< of `change`
  std::optional<std::int64_t> since;  ///< first night; nullopt: as long as the nights read
  Against against = Against::itself;
  fleet::Severity severity = fleet::Severity::monitor;
  std::vector<FactChange> facts;  ///< of the node that changed that night
};

/// Nodes that changed together, or that differ from the others together.
enum class Sharing {
  site,  ///< a rack, a switch: a group of the site file
  level  ///< any nodes of one kind that have another level than most
};
constexpr auto words_of(std::type_identity<Sharing>) {
  return std::to_array<std::string_view>({"site", "level"});
}

/// What several nodes have in common, said once.
struct SharedShift {
  Sharing sharing = Sharing::level;
  std::string name;                ///< "rack r12"; empty without a site
  std::vector<std::string> hosts;  ///< that have it
  std::size_t of = 0;              ///< nodes of the site, or of the kind
  SeriesKind figure;
  double change = 0;  ///< [ratio - 1]
  std::optional<std::int64_t> since;
  bool is_worse = false;
  std::vector<FactChange> facts;  ///< of these nodes: those of most others, their own
};

/// Nodes that can be compared.
struct NodeKind {
  std::map<std::string, std::string> facts;
  std::size_t nodes = 0;
};

/// A node, or one of its figures, without a value though it was measured lately or in this job.
struct AbsentNode {
  std::string host;
  std::string series;  ///< without the host; empty: all; every_series: all, in some launches
  std::string reason;
  std::optional<std::int64_t> last_day{};  ///< of its last value; nullopt if no value was read
};

/// A node with another processor or topology than before.
struct NewBoard {
  std::string host;
  std::int64_t day = 0;
  std::vector<FactChange> facts;
};

/// The nodes that measured themselves on the judged night.
struct JudgedNodes {
  std::size_t nodes = 0;
  std::size_t figures = 0;
  std::size_t nights = 0;           ///< that were read, with the judged one
  std::vector<NodeKind> kinds;      ///< the largest first
  std::vector<NodeShift> slow;      ///< the worst first
  std::vector<NodeShift> outliers;  ///< far off on this night alone, the worst first
  std::vector<SharedShift> shared;  ///< the largest change first
  std::vector<AbsentNode> absent;
  std::vector<NewBoard> boards;
};

/// Hosts of slow nodes to drain (`isolate`) or to watch.
std::set<std::string> hosts_to(const JudgedNodes& nodes, fleet::Severity severity);

/// Hosts without any value.
std::set<std::string> absent_hosts(const JudgedNodes& nodes);

/// Whether a node is named, or several became worse together.
bool has_regression(const JudgedNodes& nodes);

/// The highest severity of its findings.
fleet::Severity severity_of(const JudgedNodes& nodes);

/// "DRAIN 2, WATCH 5, MISSING 1 of 1998 nodes".
std::string nodes_text(const JudgedNodes& nodes);

/// Part of the line for drain scripts: "node n0713 8 B latency (...) +31.0 % since 2026-11-20".
/// Empty without a finding.
std::string drain_text(const JudgedNodes& nodes);

/// Lines of the first screen: nodes to drain, to watch, what is shared, what is missing.
std::vector<std::string> node_lines(const JudgedNodes& nodes, std::size_t most);

/// Further lines for --all: kinds, and every finding.
std::vector<std::string> all_node_lines(const JudgedNodes& nodes);

/// The key `peers` of the document.
nlohmann::json to_json(const JudgedNodes& nodes);

/// A case for each node to drain or watch, and for each shared change.
report::JUnitSuite node_junit(const JudgedNodes& nodes, const std::string& timestamp_utc);

}  // namespace hockney::health
