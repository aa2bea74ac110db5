#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "application/profile/profile.hpp"
#include "core/text.hpp"

namespace hockney::applications {

/// Calls or messages together: how many, their bytes, and the smallest and the largest of them [B].
/// Sums stop at the largest number there is.
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

  /// [B]; nullopt of nothing.
  [[nodiscard]] std::optional<double> mean_bytes() const {
    if (count == 0) return std::nullopt;
    return static_cast<double>(bytes) / static_cast<double>(count);
  }

  friend bool operator==(const Volume&, const Volume&) = default;
};

/// `part` of `whole`; nullopt where there is no whole.
inline std::optional<double> share_of(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}
inline std::optional<double> share_of(std::int64_t part, std::int64_t whole) {
  return share_of(static_cast<double>(part), static_cast<double>(whole));
}

/// All messages from one row to another, whatever carried them.
struct MatrixCell {
  int from = 0;
  int to = 0;
  Volume volume;

  friend bool operator==(const MatrixCell&, const MatrixCell&) = default;
};

/// Who sent how much to whom: between the ranks of a program, or between its nodes.
struct MessageMatrix {
  int size = 0;                   ///< rows, as many as columns
  std::vector<MatrixCell> cells;  ///< with messages, by `from`, then `to`
  Volume elsewhere;               ///< to nobody in the world, or to a receiver that is not known

  /// Of all cells.
  [[nodiscard]] Volume total() const;
};

/// Between ranks.
MessageMatrix message_matrix(const profile::Profile& profile);

/// Where the ranks were.
struct Nodes {
  std::vector<std::string> names;  ///< of hosts, in order of the ranks; "?", if at all, is the last
  std::vector<int> of_rank;  ///< index into the names; that of "?" for ranks that left nothing
  int known = 0;             ///< without "?"

  [[nodiscard]] int size() const { return static_cast<int>(names.size()); }
};

Nodes nodes_of(const profile::Profile& profile);

/// The rows of ranks of one node become one: nothing is lost, what stays inside a node is on the
/// diagonal.
MessageMatrix fused(const MessageMatrix& by_rank, const Nodes& nodes);

/// Of the bytes between nodes, those that leave theirs; nullopt where there are none, or some are
/// of ranks whose node is not known.
std::optional<double> leaving_share(const MessageMatrix& by_node, const Nodes& nodes);

/// Pairs of rows between which messages go, in either direction, on two nodes, and the larger of
/// the bytes one way and the other, summed over these pairs.
struct Cut {
  int edges = 0;
  std::int64_t bytes = 0;
};
Cut cut_of(const MessageMatrix& by_rank, const Nodes& nodes);

/// What a call does, as far as its price depends on it.
enum class CallClass { send, receive, completion, other };

constexpr auto words_of(std::type_identity<CallClass>) {
  return std::to_array<std::string_view>({"send", "receive", "completion", "other"});
}

CallClass class_of(std::string_view call);

/// Whether a function is MPI_File_*.
bool is_file_call(std::string_view call);

/// Some calls together.
struct CallSums {
  Volume volume;
  double seconds = 0;      ///< inside all of them, summed over ranks
  double min_seconds = 0;  ///< of one call
  double max_seconds = 0;
  int ranks = 0;               ///< that made them: at least so many
  int slowest_rank = 0;        ///< that spent the most in them, as far as the profile tells
  double slowest_seconds = 0;  ///< of that rank: at least

  void add(const profile::Calls& calls);
};

/// The calls of one function.
struct FunctionCalls {
  std::string call;
  CallSums sums;
};

/// Those of one function from one place in the code.
struct SiteCalls {
  std::string call;
  std::optional<int> site;  ///< index into the profile's
  CallSums sums;
};

/// Those inside of a region.
struct RegionCalls {
  std::optional<int> region;  ///< index into the profile's; nullopt: outside of all
  CallSums sums;
};

/// Calls with so many bytes each.
struct SizeClass {
  std::int64_t from_bytes = 0;
  std::int64_t to_bytes = 0;  ///< inclusive
  Volume volume;
  double seconds = 0;
};

/// Of every function, those of most time first.
std::vector<FunctionCalls> by_function(const profile::Profile& profile);
std::vector<SiteCalls> by_site(const profile::Profile& profile);
std::vector<RegionCalls> by_region(const profile::Profile& profile);

/// By size: 0, 1, 2 to 3, 4 to 7, ... bytes; classes without calls are not listed. Of all functions
/// that carry data, or of one.
std::vector<SizeClass> by_size(const profile::Profile& profile, std::string_view call = {});

/// What recording cost.
struct RecordingPrice {
  double seconds_per_call = 0;     ///< mean
  double seconds = 0;              ///< of all ranks
  std::optional<double> fraction;  ///< of the time that all ranks ran
};

/// Calls x price of their class / time of all ranks. Calls that no row tells of cost what others
/// do. nullopt where there are no calls.
std::optional<RecordingPrice> recording_price(const profile::Profile& profile);

/// What the messages of a program look like as a graph. `irregular`: none of the others.
enum class PatternKind { none, ring, chain, halo, all_to_all, master_worker, irregular };

constexpr auto words_of(std::type_identity<PatternKind>) {
  return std::to_array<std::string_view>(
      {"none", "ring", "chain", "halo", "all-to-all", "master-worker", "irregular"});
}

/// How the ranks of a grid are numbered.
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
  int ranks = 0;            ///< that exchange what counts; others have few small messages, or none
  double neighbours = 0;    ///< of these ranks, mean; few small messages make no neighbour
  double explained = 0;     ///< share of the bytes between different ranks that the pattern carries
};

/// The pattern that carries at least nine tenths of the bytes (of the messages, where they are all
/// empty) and of which nearly all edges are there. A grid is found in the order of ranks, periodic
/// or not; in any other order where it is not periodic, or has one dimension.
Pattern find_pattern(const MessageMatrix& by_rank);

/// "2-D halo 24 x 16", "ring of 8", "master-worker, master 0", "irregular, 5.2 neighbours on
/// average", "none".
std::string name_of(const Pattern& pattern);

}  // namespace hockney::applications
