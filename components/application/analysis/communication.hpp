#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "core/text.hpp"

namespace hockney::applications {

/// Calls or messages together: their number, their bytes, the smallest and the largest of them [B].
/// Sums saturate at the largest int64.
struct Volume {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  std::int64_t min_bytes = 0;
  std::int64_t max_bytes = 0;

  void add(const Volume& other) {
    if (other.count == 0) return;
    min_bytes = count == 0 ? other.min_bytes : std::min(min_bytes, other.min_bytes);
    max_bytes = std::max(max_bytes, other.max_bytes);
    count = profile::capped_sum(count, other.count);
    bytes = profile::capped_sum(bytes, other.bytes);
  }

  /// [B]; nullopt if `count` is 0.
  [[nodiscard]] std::optional<double> mean_bytes() const {
    if (count == 0) return std::nullopt;
    return static_cast<double>(bytes) / static_cast<double>(count);
  }

  friend bool operator==(const Volume&, const Volume&) = default;
};

/// `part` / `whole`; nullopt if `whole` is 0.
inline std::optional<double> share_of(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}
inline std::optional<double> share_of(std::int64_t part, std::int64_t whole) {
  return share_of(static_cast<double>(part), static_cast<double>(whole));
}

/// All messages from one row to another, on any communicator and with any tag.
struct MatrixCell {
  int from = 0;
  int to = 0;
  Volume volume;

  friend bool operator==(const MatrixCell&, const MatrixCell&) = default;
};

/// Messages and bytes from each row to each column: rows are the ranks of a program, or its nodes.
struct MessageMatrix {
  int size = 0;                   ///< rows, as many as columns
  std::vector<MatrixCell> cells;  ///< with messages, by `from`, then `to`
  Volume elsewhere;               ///< to MPI_PROC_NULL, out of the world, or to an unknown receiver

  /// Sum of all cells.
  [[nodiscard]] Volume total() const;
};

/// Matrix between ranks.
MessageMatrix message_matrix(const profile::Profile& profile);

/// Nodes of the ranks.
struct Nodes {
  std::vector<std::string> names;  ///< hosts, in order of the ranks; "?" is the last, if present
  std::vector<int> of_rank;        ///< index into the names; ranks without a part have that of "?"
  int known = 0;                   ///< number of nodes without "?"

  [[nodiscard]] int size() const { return static_cast<int>(names.size()); }
};

Nodes nodes_of(const profile::Profile& profile);

/// Adds up the rows of ranks of one node. Messages inside a node are on the diagonal.
MessageMatrix fused(const MessageMatrix& by_rank, const Nodes& nodes);

/// Share of the bytes between ranks that leave their node. nullopt if there are none, or if a node
/// of their ranks is unknown.
std::optional<double> leaving_share(const MessageMatrix& by_node, const Nodes& nodes);

/// Pairs of ranks on different nodes that exchange messages. `bytes` sums, over these pairs, the
/// larger of the bytes in the two directions.
struct Cut {
  int edges = 0;
  std::int64_t bytes = 0;
};
Cut cut_of(const MessageMatrix& by_rank, const Nodes& nodes);

/// Kind of a call; the overhead of recording depends on it.
enum class CallClass { send, receive, completion, other };

constexpr auto words_of(std::type_identity<CallClass>) {
  return std::to_array<std::string_view>({"send", "receive", "completion", "other"});
}

CallClass class_of(std::string_view call);

/// Whether a function is MPI_File_*.
bool is_file_call(std::string_view call);

/// Sums over several calls.
struct CallSums {
  Volume volume;
  double seconds = 0;      ///< inside all calls, summed over ranks
  double min_seconds = 0;  ///< of the shortest call
  double max_seconds = 0;
  int ranks = 0;               ///< lower bound on the number of ranks that made them
  int slowest_rank = 0;        ///< rank with the most time in them, from the rows' slowest ranks
  double slowest_seconds = 0;  ///< time of that rank: a lower bound

  void add(const profile::Calls& calls);
};

/// All calls of one function.
struct FunctionCalls {
  std::string call;
  CallSums sums;
};

/// Calls of one function from one place in the code.
struct SiteCalls {
  std::string call;
  std::optional<int> site;  ///< index into the profile's sites
  CallSums sums;
};

/// Calls inside a region.
struct RegionCalls {
  std::optional<int> region;  ///< index into the profile's regions; nullopt: outside of all
  CallSums sums;
};

/// Calls with data of one size class.
struct SizeClass {
  std::int64_t from_bytes = 0;
  std::int64_t to_bytes = 0;  ///< inclusive
  Volume volume;
  double seconds = 0;
};

/// Calls by function, those with the most time first.
std::vector<FunctionCalls> by_function(const profile::Profile& profile);
std::vector<SiteCalls> by_site(const profile::Profile& profile);
std::vector<RegionCalls> by_region(const profile::Profile& profile);

/// Calls by size class: 0, 1, 2 to 3, 4 to 7, ... bytes; empty classes are left out. Counts calls
/// with data, or all calls of `call`.
std::vector<SizeClass> by_size(const profile::Profile& profile, std::string_view call = {});

/// Overhead of recording.
struct RecordingOverhead {
  double seconds_per_call = 0;     ///< mean, without readings of CPU use
  double seconds = 0;              ///< of all ranks
  std::optional<double> fraction;  ///< of the summed run time of all ranks
};

/// Overhead = calls x overhead per call of their class + readings of CPU use x overhead of one;
/// fraction = overhead / time of all ranks.
/// Calls without a row have the overhead of `other`. nullopt if there are no calls.
std::optional<RecordingOverhead> recording_overhead(const profile::Profile& profile);

/// Shape of the graph of a program's messages. `irregular`: none of the others.
enum class PatternKind { none, ring, chain, halo, all_to_all, master_worker, irregular };

constexpr auto words_of(std::type_identity<PatternKind>) {
  return std::to_array<std::string_view>(
      {"none", "ring", "chain", "halo", "all-to-all", "master-worker", "irregular"});
}

/// Numbering of the ranks in a grid.
enum class RankOrder {
  rows,  ///< row by row, the last dimension counting fastest
  other
};

struct Pattern {
  PatternKind kind = PatternKind::none;
  std::vector<int> grid;       ///< ranks along each dimension of a ring, chain or halo
  std::vector<bool> periodic;  ///< whether the ends of each dimension are neighbours
  bool diagonals = false;      ///< whether a halo's corners are exchanged, too
  RankOrder order = RankOrder::rows;
  std::optional<int> root;  ///< of master-worker
  int ranks = 0;            ///< ranks with heavy edges; the others send few small messages, or none
  double neighbours = 0;    ///< mean over these ranks; edges of few small messages do not count
  double explained = 0;  ///< share of the bytes between different ranks that go along the pattern
};

/// Finds the pattern that carries at least 90 % of the bytes and has nearly all of its edges.
/// Without bytes, messages count instead. Grids in the order of ranks may be periodic. In another
/// order a grid is found if it is not periodic, or has one dimension.
Pattern find_pattern(const MessageMatrix& by_rank);

/// "2-D halo 24 x 16", "ring of 8", "master-worker, master 0", "irregular, 5.2 neighbours on
/// average", "none".
std::string name_of(const Pattern& pattern);

}  // namespace hockney::applications
