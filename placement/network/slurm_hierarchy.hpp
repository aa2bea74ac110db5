#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "placement/network/described_network.hpp"

namespace hockney::placement {

/// One switch, block, ring or torus of a Slurm topology, or its BlockSizes. Keys are in lower case,
/// since Slurm does not tell cases apart.
struct SlurmLine {
  std::map<std::string, std::string> values;
  std::string place;  ///< "topology.conf:3"

  [[nodiscard]] bool has(const std::string& key) const { return values.contains(key); }
  /// Empty where the line does not have it.
  [[nodiscard]] std::string text(const std::string& key) const;
};

/// The text of a file that an "include" line names; nullopt where it cannot be read.
using IncludedText = std::function<std::optional<std::string>(const std::string& name)>;

/// The lines of topology.conf or `scontrol show topology`, as Slurm's s_p_parse_file reads them:
/// `#` begins a comment, `\` continues a line, blanks around `=` and quoted values are allowed.
/// Unlike Slurm, a list may continue after a comma and blanks. Unknown lines and keys are left out
/// and noted. InputError for NUL.
std::vector<SlurmLine> read_slurm_lines(const NetworkText& text, NetworkNotes& notes,
                                        const IncludedText& included = {});

/// The key that names what a line describes, "switchname"; empty where it has none.
std::string kind_of(const SlurmLine& line);

/// The names of a list, "leaf[0-3],login"; as in Slurm commas, blanks and line ends separate them.
/// A part that cannot be read is left out, and `notes` name it.
std::vector<std::string> slurm_names(const SlurmLine& line, const std::string& key,
                                     NetworkNotes& notes);

/// The sites of the nodes of a tree of switches, of which each line is one. Switches that serve the
/// same nodes, on every level, are one site.
NestedSites sites_of_switches(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

/// The sites of the nodes of blocks, with the larger blocks that are printed ("AggregatedBlock") or
/// that BlockSizes asks for: as topology/block does, neighbouring blocks are joined by twos, fours
/// and so on, blocks without nodes among them.
NestedSites sites_of_blocks(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

/// The ring, or the torus, of each node; where the node is in it is not read.
NestedSites sites_of_rings(const std::vector<SlurmLine>& lines, NetworkNotes& notes);

}  // namespace hockney::placement
