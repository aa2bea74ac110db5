#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/node_records.hpp"
#include "core/record.hpp"
#include "report/screen.hpp"

namespace hockney::report {

/// Whether these are launches in which each of several nodes measured itself (--each-node).
bool are_of_several_nodes(std::span<const Record> records);

/// One figure of all nodes: the median over the launches of each node.
struct NodesFigure {
  std::string label;     ///< "pingpong l3 at 8"
  bool is_rate = false;  ///< [B/s] instead of [s]
  double median = 0;     ///< over nodes
  double best = 0;
  double worst = 0;
  Interval usual{};  ///< quantiles of 5 % and 95 % over nodes
  std::string worst_host;
  std::size_t nodes = 0;
};

/// Of each curve the time at its smallest size, and the bandwidth at its largest, where it has one.
/// Then those of the machine probes, of all launches together: noise probe, cache line, copy,
/// memory of all cores and copies of each GPU.
std::vector<NodesFigure> nodes_figures(std::span<const Record> records);

/// Memory and GPU bandwidths of the machine probes as a table, for launches of one node.
Lines memory_answer(std::span<const Record> records);

/// The figures, each with the node that is worst. The header counts nodes.
Screen nodes_screen(std::span<const Record> records);

/// Nodes without figures, those that failed most launches first: "node7 has no figures in 2 of 3
/// launches".
std::vector<Finding> missing_findings(const std::vector<std::vector<MissingNode>>& of_launches);

}  // namespace hockney::report
