#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_node.hpp"
#include "core/record.hpp"

namespace hockney {

// A launch in which every node of a job measures itself (--each-node) writes the record of the
// first node as any other, and beside it one file of all other nodes: the document hockney.nodes/1.
// Nodes of one kind, which differ in nothing but their names, times and loads, share one header.
// Of the samples a node keeps the medians of the blocks that count.

inline constexpr std::string_view nodes_schema = "hockney.nodes/1";

/// Most bytes that one node adds to the file, so that a job of 10 000 nodes writes 40 MB.
inline constexpr std::size_t most_node_bytes = 4096;

/// Parameter of the points of such a node: its name, so that no table, fit or verdict pools nodes.
/// Documents do not have it: load_records() sets it.
inline constexpr const char* host_parameter = "host";

/// Whether the record is of a node that measured itself.
bool is_of_each_node(const Record& record);

/// Sets the parameter of all points. No effect on records of other launches.
void name_host(Record& record);

/// Erases it again, for figures of all nodes together.
void forget_host(Record& record);

/// The parameter of a point; empty without it.
std::string host_of(const Point& point);

/// Complete launches. All nodes that measured themselves at the same time are one launch.
struct LaunchCount {
  std::size_t launches = 0;
  std::size_t nodes = 0;  ///< that measured themselves; 0 without --each-node

  friend bool operator==(const LaunchCount&, const LaunchCount&) = default;
};

LaunchCount count_launches(std::span<const Record> records);

/// "10 launches", "10 launches of 4 nodes".
std::string text_of(const LaunchCount& count);

/// What one node sends.
struct NodeText {
  std::string kind;  ///< digest of the header
  std::string text;  ///< JSON, at most most_node_bytes
};

/// Blocks are joined, in the order of time, until the text is short enough; each then has the
/// median of its blocks' medians. std::logic_error if even one value for each point is too long.
NodeText node_text(const Record& record);

/// The header that nodes of this record's kind share; JSON.
std::string kind_text(const Record& record);

/// A node without a record.
struct MissingNode {
  std::string host;
  std::string reason;
};

/// The nodes of a launch, except for the first one.
struct NodeTexts {
  std::vector<std::string> kinds;  ///< by kind_text
  std::vector<NodeText> nodes;
  std::vector<MissingNode> missing;
};

/// "<record>.nodes.json" for "<record>.json".
std::string nodes_file(const std::string& record_file);

/// The document hockney.nodes/1.
std::string nodes_document(const NodeTexts& nodes);

/// Atomic. RunError if it cannot be written.
void save_nodes(const NodeTexts& nodes, const std::string& record_file);

/// Whether it claims to be this document, of any version.
bool is_nodes(const JsonNode& document);

/// Calls `use` with the record of each node, one after the other, so that their copies of the
/// header need not be in memory together. `samples_seconds` are medians of blocks. Strict, as
/// read_record.
void for_each_node(const JsonNode& document, const std::function<void(Record)>& use);

/// The records of all nodes.
std::vector<Record> read_nodes(const JsonNode& document);

/// The nodes without a record.
std::vector<MissingNode> missing_nodes(const JsonNode& document);

/// The same of the file beside this record; empty if there is no such file.
std::vector<MissingNode> missing_nodes(const std::string& record_file);

}  // namespace hockney
