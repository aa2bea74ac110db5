#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::fleet {

/// The time of one pair of nodes in one night, for finding slow nodes and links.
struct NightlyPair {
  std::string a;       ///< host
  std::string b;       ///< host
  std::string hop;     ///< hop class
  double seconds = 0;  ///< median of the launch medians
  std::size_t launches = 0;
};

/// A pair of nodes and the point at which it was measured this night.
struct NightPair {
  std::string point;  ///< "pingpong/ranks=2 bytes=8 setting=nightly/seconds"
  NightlyPair pair;
};

/// The host of each rank of a launch.
using HostsOfRanks = std::map<int, std::string>;

HostsOfRanks hosts_by_rank(const Record& record);

/// Times between nodes for each operation of pairs, at its smallest size (latency) and its largest
/// (bandwidth). A time is the median over launches of the median over the launch's pairs of ranks
/// on these hosts. Hosts are in alphabetical order. Pairs inside a node are left out.
std::vector<NightPair> host_pairs(std::span<const Record> launches, const std::string& setting);

/// A pair for the fit: indices of its nodes and its hop class.
struct FleetPair {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t hop = 0;
  double log_seconds = 0;
};

struct FleetFit {
  std::vector<double> nodes;      ///< a_i, median 0
  std::vector<double> classes;    ///< of each hop class
  std::vector<double> residuals;  ///< of each pair
  double sigma = 0;  ///< robust standard deviation of a pair, corrected for the fitted parameters
};

/// Fits log time = class + a_i + a_j + r: median polish (Tukey 1977), then Huber's M-estimate
/// (1964, constant 1.345) by alternating weighted means. Every node and class below the counts must
/// be in a pair. More than nodes + classes - 1 pairs are needed.
FleetFit fit_fleet(std::span<const FleetPair> pairs, std::size_t nodes, std::size_t classes);

/// Recommended action, ascending. The words are those of drain scripts (AWS
/// gpu-cluster-healthcheck: ISOLATE, REBOOT, RESET, MONITOR). Times do not show whether a reboot or
/// reset would help, so neither is recommended.
enum class Severity { none, monitor, isolate };
/// Spelt as drain scripts spell them.
constexpr auto words_of(std::type_identity<Severity>) {
  return std::to_array<std::string_view>({"OK", "MONITOR", "ISOLATE"});
}

struct FleetOptions {
  double false_nodes_per_night = 0.03;  ///< expected number of healthy nodes named per night
  double practical = 0.03;              ///< smallest effect to name [ratio - 1]
  double isolate_beyond = 0.20;         ///< effect from which the severity is `isolate`
  std::size_t suspects = 16;            ///< largest number of links to measure again the same night
};

/// Effect of a node on the times of its pairs.
struct NodeEffect {
  std::string host;
  double effect = 0;  ///< extra time of its pairs compared with a usual node's [ratio - 1]
  std::optional<Interval> interval;  ///< of `effect`; nullopt with fewer than 2 pairs
  std::optional<double> score;       ///< [sigma]; nullopt with fewer than 2 pairs
  std::size_t pairs = 0;             ///< measured pairs with this node
  bool named = false;                ///< slow beyond the cut
  Severity severity = Severity::none;
  std::optional<std::int64_t> day{};  ///< earlier night of the effect, if any
};

/// Remainder of a pair's time after its hop class and both nodes.
struct LinkEffect {
  std::string a;
  std::string b;
  std::string hop;
  double effect = 0;            ///< [ratio - 1]
  double score = 0;             ///< [sigma]
  double expected_seconds = 0;  ///< from hop class and both nodes, that night
  bool is_explained = false;    ///< one of its nodes is named
};

/// Reason why no node can be named.
enum class FleetUndecided {
  none,
  too_few_nodes,  ///< fewer than 4
  too_few_pairs,  ///< no more pairs than effects, so the noise is unknown
  ambiguous       ///< nodes form two groups, with pairs only between the groups: either may be slow
};

constexpr auto words_of(std::type_identity<FleetUndecided>) {
  return std::to_array<std::string_view>({"none", "too_few_nodes", "too_few_pairs", "ambiguous"});
}

struct FleetNight {
  FleetUndecided undecided = FleetUndecided::none;
  std::vector<NodeEffect> nodes;     ///< slowest first
  std::vector<LinkEffect> links;     ///< all pairs, each once, in order of first appearance
  std::vector<LinkEffect> suspects;  ///< slowest links between nodes that are not named, worst
                                     ///< first, beyond 2 sigma and the practical floor
  double pair_sigma = 0;             ///< robust standard deviation of a pair [log ratio]
  double cut = 0;                    ///< smallest score of a named node
};

/// Judges one night by fit_fleet(); Huber's M-estimate after the median polish needs fewer pairs. A
/// node's score is its effect over its standard error. It is also divided by the robust spread of
/// all scores if that exceeds 1, because healthy nodes differ too. A node is named if its score
/// exceeds Student's quantile at false_nodes_per_night / nodes, and its effect the practical floor.
/// Links of a named node are not judged: a slow cable slows its node by a different factor in each
/// hop class. `pairs` may be all pairs or a sparse design (placement/rank_pairs.hpp); repeated
/// pairs count with their median. InputError for a pair of one host, or times that are not positive
/// and finite. O(pairs) for each of at most 200 sweeps.
FleetNight judge_fleet(std::span<const NightlyPair> pairs, const FleetOptions& options = {});

/// The result of one point in one night.
struct DatedFleet {
  std::int64_t day = 0;
  FleetNight night;
};

/// The last of `nights` (not empty), as of `today`. Adds nodes that this night did not judge, if
/// they were named on the last night that judged them. Such nodes stay slow until a night judges
/// them.
FleetNight with_open_nodes(std::span<const DatedFleet> nights, std::int64_t today);

}  // namespace hockney::fleet
