#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::health {

/// Values of some rows over the same nights, row by row. NaN: not measured.
struct NightTable {
  std::size_t nights = 0;
  std::vector<float> values;

  [[nodiscard]] std::size_t rows() const { return nights == 0 ? 0 : values.size() / nights; }
  [[nodiscard]] std::span<const float> row(std::size_t index) const {
    return std::span(values).subspan(index * nights, nights);
  }
  [[nodiscard]] std::span<float> row(std::size_t index) {
    return std::span(values).subspan(index * nights, nights);
  }
};

struct PeerOptions {
  double false_nodes_per_night = 0.03;  ///< expected number of healthy nodes named per night
  double practical = 0.03;              ///< smallest shift to name [ratio - 1]
  std::size_t tests = 1;                ///< figures of all nodes that are judged this night
};

/// A row whose last nights are larger than its own earlier ones.
struct RowShift {
  std::size_t row = 0;
  double shift = 0;       ///< [log ratio] median of its last nights since the change, at most 7
  Interval interval;      ///< of `shift`, 95 %
  std::size_t since = 0;  ///< first night of the change
};

/// What a node is compared with.
enum class Against { itself, peers };
constexpr auto words_of(std::type_identity<Against>) {
  return std::to_array<std::string_view>({"itself", "peers"});
}

/// A node that is slower than it was, or than its peers.
struct PeerShift {
  std::size_t node = 0;
  double shift = 0;  ///< [log ratio]
  Interval interval;
  std::optional<std::size_t> since;  ///< first night; nullopt: as long as the nights reach
  Against against = Against::itself;
};

/// Nodes of one level among those of a figure.
struct PeerMode {
  std::vector<std::size_t> nodes;
  double shift = 0;                  ///< of its median from that of the largest mode [log ratio]
  std::optional<std::size_t> since;  ///< first night of the distance; nullopt: all nights have it
};

/// One figure of the nodes of one kind, judged as of the last night.
struct PeerVerdict {
  std::vector<PeerMode> modes;      ///< the largest first
  std::vector<PeerShift> slow;      ///< the largest shift first
  std::vector<PeerShift> groups;    ///< `node` is the index of the group
  std::vector<PeerShift> outliers;  ///< far off on the last night alone, the largest shift first
  NightTable deviations;            ///< of each node from its peers of the night [log ratio]
  double spread = 0;                ///< robust standard deviation of deviations [log ratio]
};

/// Nodes of one kind at one figure.
struct PeerFigure {
  NightTable logs;                               ///< larger is worse
  std::vector<std::vector<std::size_t>> groups;  ///< nodes of a rack or a switch
};

/// Fewest nodes that can be compared.
inline constexpr std::size_t fewest_peers = 4;
/// Nights that a node needs for a verdict.
inline constexpr std::size_t nights_of_peers = 14;

/// Judges the nodes of one kind at one figure.
/// - Modes: two levels of at least 5 nodes and 5 % of them, with a gap of 3 spreads between them,
///   are two modes. A node is compared with its mode.
/// - Against itself: find_shifts() of its distance from the median of its mode; its usual level is
///   the median of the first half of its nights.
/// - Against its peers: the median of its last 30 nights is beyond Student's quantile of 8 degrees
///   of freedom, in units of the spread of these medians.
/// - Groups: find_shifts() of the median of a group's nodes, or three quarters of its nodes are
///   slow. Their nodes are not named.
/// No verdict for fewer than `fewest_peers` nodes.
PeerVerdict judge_peers(const PeerFigure& figure, const PeerOptions& options);

}  // namespace hockney::health
