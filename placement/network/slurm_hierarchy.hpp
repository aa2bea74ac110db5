#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "placement/network/described_network.hpp"

namespace hockney::placement {

/// One switch, block, ring or torus of a Slurm topology, or its BlockSizes. Keys are in lower case,
/// since Slurm ignores case.
struct SlurmLine {
  std::map<std::string, std::string> values;
  std::string place;  ///< "topology.conf:3"

  [[nodiscard]] bool has(const std::string& key) const { return values.contains(key); }
  /// Empty if the line does not have the key.
  [[nodiscard]] std::string text(const std::string& key) const;
};

/// Returns the text of a file in an "include" line; nullopt if it cannot be read.
using IncludedText = std::function<std::optional<std::string>(const std::string& name)>;

/// The lines of topology.conf or `scontrol show topology`, as Slurm's s_p_parse_file reads them:
/// `#` begins a comment, `\` continues a line, blanks around `=` and quoted values are allowed.
/// Unlike Slurm, a list may continue after a comma and blanks. Unknown lines and keys are left out
/// and noted. InputError for NUL.
std::vector<SlurmLine> read_slurm_lines(const NetworkText& text, NetworkNotes& notes,
                                        const IncludedText& included = {});

/// The key with the name of the line's item, "switchname"; empty without one.
std::string kind_of(const SlurmLine& line);

/// The sites of nodes in a tree of switches, one switch per line. On every level, switches that
/// serve the same nodes are one site.
NestedSites sites_of_switches(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

/// The sites of nodes in blocks, and in larger blocks that are printed ("AggregatedBlock") or
/// defined by BlockSizes. As in topology/block, neighbouring blocks are joined by twos, fours and
/// so on, including blocks without nodes.
NestedSites sites_of_blocks(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

/// The ring, or the torus, of each node, without its position.
NestedSites sites_of_rings(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

}  // namespace hockney::placement
