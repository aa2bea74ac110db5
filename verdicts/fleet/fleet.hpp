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

/// One pair of nodes in one night, for locating slow nodes and links.
struct NightlyPair {
  std::string a;       ///< host
  std::string b;       ///< host
  std::string hop;     ///< hop class
  double seconds = 0;  ///< median of the launch medians
  std::size_t launches = 0;
};

/// A pair of nodes in this night, at the point that it was measured at.
struct NightPair {
  std::string point;  ///< "pingpong/ranks=2 bytes=8 setting=nightly/seconds"
  NightlyPair pair;
};

/// Where the ranks of a launch ran.
using HostsOfRanks = std::map<int, std::string>;

HostsOfRanks hosts_by_rank(const Record& record);

/// The times between nodes, for each operation of pairs at its smallest size, where latency rules,
/// and at its largest, where bandwidth does: median over launches of the median over the launch's
/// pairs of ranks on these hosts. Hosts in the order of the alphabet. Pairs inside a node are no
/// pairs of nodes.
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
  double sigma = 0;  ///< robust standard deviation of a pair, corrected for what was fitted
};

/// log time = class + a_i + a_j + r: median polish (Tukey 1977), then Huber's M-estimate (1964,
/// constant 1.345) by weighted means in turn. Every node and class below the counts must be in a
/// pair, and pairs must outnumber nodes + classes - 1.
FleetFit fit_fleet(std::span<const FleetPair> pairs, std::size_t nodes, std::size_t classes);

/// Whether every node's effect can be told from its partners' (core/statistics.hpp).
bool effects_are_unique(std::span<const FleetPair> pairs, std::size_t nodes);

/// What to do, in the words of drain scripts (AWS gpu-cluster-healthcheck: ISOLATE, REBOOT, RESET,
/// MONITOR), ascending. Times cannot tell what a reset would mend, so neither of those is advised.
enum class Severity { none, monitor, isolate };
/// In the vocabulary of drain scripts.
constexpr auto words_of(std::type_identity<Severity>) {
  return std::to_array<std::string_view>({"OK", "MONITOR", "ISOLATE"});
}

struct FleetOptions {
  double false_nodes_per_night = 0.03;  ///< healthy nodes named in a night, on average
  double practical = 0.03;              ///< smallest effect that is named [ratio - 1]
  double isolate_beyond = 0.20;         ///< effect from which the severity is `isolate`
  std::size_t suspects = 16;            ///< links worth measuring again the same night, at most
};

/// A node's share of the times of its pairs.
struct NodeEffect {
  std::string host;
  double effect = 0;  ///< how much longer its pairs take than a usual node's [ratio - 1]
  std::optional<Interval> interval;  ///< of `effect`; nullopt with fewer than 2 pairs
  std::optional<double> score;       ///< [sigma]; nullopt with fewer than 2 pairs
  std::size_t pairs = 0;             ///< measured with it
  bool named = false;                ///< slow beyond the cut
  Severity severity = Severity::none;
  std::optional<std::int64_t> day{};  ///< of an earlier night, the last one that judged it
};

/// What is left of a pair's time after its hop class, the night and both nodes.
struct LinkEffect {
  std::string a;
  std::string b;
  std::string hop;
  double effect = 0;            ///< [ratio - 1]
  double score = 0;             ///< [sigma]
  double expected_seconds = 0;  ///< by hop class and both nodes, that night
  bool is_explained = false;    ///< one of its nodes is named
};

/// Why no node can be named.
enum class FleetUndecided {
  none,
  too_few_nodes,  ///< fewer than 4
  too_few_pairs,  ///< not more pairs than effects: nothing is left to tell noise from
  ambiguous       ///< nodes fall into two sides with pairs only across: either may be the slow one
};

constexpr auto words_of(std::type_identity<FleetUndecided>) {
  return std::to_array<std::string_view>({"none", "too_few_nodes", "too_few_pairs", "ambiguous"});
}

struct FleetNight {
  FleetUndecided undecided = FleetUndecided::none;
  std::vector<NodeEffect> nodes;     ///< slowest first
  std::vector<LinkEffect> links;     ///< all pairs, each once, in order of first appearance
  std::vector<LinkEffect> suspects;  ///< slowest links between nodes that are not named, worst
                                     ///< first, beyond 2 sigma and the floor
  double pair_sigma = 0;             ///< robust standard deviation of a pair [log ratio]
  double cut = 0;                    ///< score from which a node is named
};

/// One night: log time = class + a_i + a_j + r_ij, by median polish (Tukey 1977) and from there by
/// Huber's M-estimate (1964, 1.345), which needs fewer pairs. A node's score is a_i over its
/// standard error, and over the robust spread of all scores where that exceeds 1, because healthy
/// nodes differ too. Named is who exceeds Student's quantile at false_nodes_per_night / nodes and
/// the practical floor. What is left of the pairs of a named node says nothing of its links: a node
/// with a slow cable is slower by another factor in each hop class. All pairs or a sparse design
/// (placement/rank_pairs.hpp) will do; a pair that is given more than once counts with its median.
/// InputError for a pair of one host, or times that are not positive and finite. O(pairs) for each
/// of at most 200 sweeps.
FleetNight judge_fleet(std::span<const NightlyPair> pairs, const FleetOptions& options = {});

/// A night of one point and its day.
struct DatedFleet {
  std::int64_t day = 0;
  FleetNight night;
};

/// The last of the nights, of which there is one, as of `today`: with the nodes that it does not
/// judge, and that were named on the last night that did. Those are slow until a night judges them.
FleetNight with_open_nodes(std::span<const DatedFleet> nights, std::int64_t today);

}  // namespace hockney::fleet
