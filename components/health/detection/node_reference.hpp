#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "components/health/detection/check.hpp"
#include "components/health/detection/peers.hpp"
#include "core/json_node.hpp"

namespace hockney::health {

// What every node of a system usually measures: a small file from which each node judges itself
// before a job, without the history. Thousands of nodes may read it at once, and it is replaced as
// a whole. The document hockney.node-reference/1.

inline constexpr std::string_view node_reference_schema = "hockney.node-reference/1";

// Facts by which the amount of hardware is judged: "480 GiB", "7 x NVIDIA 10de:2335 + 1 x ...".
inline constexpr const char* memory_fact = "host.memory";
inline constexpr const char* gpu_fact = "host.gpu";

/// The usual level of a figure.
struct UsualLevel {
  double value = 0;   ///< median [unit of the figure]
  double spread = 0;  ///< robust standard deviation of its logarithm, from night to night

  friend bool operator==(const UsualLevel&, const UsualLevel&) = default;
};

/// In the order of NodeReference::figures; nullopt: not known.
using UsualLevels = std::vector<std::optional<UsualLevel>>;

struct ReferenceFigure {
  std::string series;  ///< without the host
  std::string unit;
  WorseWhen worse = WorseWhen::larger;

  friend bool operator==(const ReferenceFigure&, const ReferenceFigure&) = default;
};

/// Nodes that can be compared.
struct ReferenceKind {
  std::map<std::string, std::string> facts;
  std::size_t nodes = 0;
  UsualLevels levels;  ///< medians over nodes

  friend bool operator==(const ReferenceKind&, const ReferenceKind&) = default;
};

struct ReferenceNode {
  std::size_t kind = 0;  ///< index into NodeReference::kinds
  UsualLevels levels;    ///< of this node over its nights

  friend bool operator==(const ReferenceNode&, const ReferenceNode&) = default;
};

struct NodeReference {
  std::string night;       ///< the newest one
  std::size_t nights = 0;  ///< from which levels are taken, at most
  std::vector<ReferenceFigure> figures;
  std::vector<ReferenceKind> kinds;
  std::map<std::string, ReferenceNode> nodes;  ///< by host

  friend bool operator==(const NodeReference&, const NodeReference&) = default;
};

/// Nights that a level of a node is the median of, at most, and needs.
inline constexpr std::size_t nights_of_level = 30;
inline constexpr std::size_t fewest_nights_of_level = 7;

/// The level of these values above 0 (NaN: none); nullopt for fewer than `fewest`.
std::optional<UsualLevel> usual_level(std::vector<double> values, std::size_t fewest);

/// The level of a kind from those of its nodes. Its spread is that between nodes and that of a
/// usual node from night to night. nullopt for fewer than `fewest_peers` nodes with a level.
std::optional<UsualLevel> level_of_kind(const std::vector<UsualLevel>& of_nodes);

std::string reference_document(const NodeReference& reference);
/// InputError with the key for another document, or a damaged one.
NodeReference read_reference(const JsonNode& document);

/// What a node has measured now.
struct MeasuredNode {
  std::string host;
  std::map<std::string, std::string> facts;
  std::map<std::string, double> figures;  ///< by series without the host
};

/// Why a node is to be drained: a figure, or hardware that is gone.
struct DrainReason {
  std::string series;  ///< without the host; empty for a fact
  std::string fact;    ///< empty for a figure
  std::string unit;
  double value = 0;
  double usual = 0;
  double change = 0;  ///< [ratio - 1]
  Against against = Against::itself;
  std::string now;     ///< of a fact
  std::string before;  ///< of a fact
};

enum class NodeState {
  ok,
  drain,
  unknown  ///< neither the node nor its kind has a level of any figure
};
constexpr auto words_of(std::type_identity<NodeState>) {
  return std::to_array<std::string_view>({"OK", "DRAIN", "UNKNOWN"});
}

struct NodeVerdict {
  NodeState state = NodeState::unknown;
  std::size_t judged = 0;            ///< figures with a level
  std::vector<DrainReason> reasons;  ///< lost hardware first, then the largest change
};

/// Judges one measurement of a node. A figure is a reason if it is worse than the node's own level,
/// or than that of its kind, by more than `beyond` [ratio - 1] and by more than 5 spreads, each of
/// them at least 1 %. Less memory and fewer GPUs than the node had are reasons, too, and so are
/// copies of a GPU that it had and that were not measured. A node with another processor or
/// topology than before is compared with the kind that it is of now.
NodeVerdict check_node(const NodeReference& reference, const MeasuredNode& node, double beyond);

/// Facts that tell one kind of nodes from another.
std::map<std::string, std::string> facts_of_kind(const std::map<std::string, std::string>& facts);

}  // namespace hockney::health
