#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "placement/network/network_notes.hpp"
#include "placement/network/numbered_lines.hpp"

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

/// The lines of topology.conf or of scontrol show topology, as Slurm's s_p_parse_file reads them:
/// `#` begins a comment, `\` at the end of a line goes on with the next, blanks may stand around
/// `=`, values may be in quotes. Unlike Slurm, a list may go on after a comma and blanks. A line
/// that is not understood is left out, a key that is not known too; `notes` name them. InputError
/// for the character NUL.
std::vector<SlurmLine> read_slurm_lines(const NetworkText& text, NetworkNotes& notes,
                                        const IncludedText& included = {});

/// The key that names what a line describes, "switchname"; empty where it has none.
std::string kind_of(const SlurmLine& line);

/// The names of a list, "leaf[0-3],login"; as in Slurm commas, blanks and line ends separate them.
/// A part that cannot be read is left out, and `notes` name it.
std::vector<std::string> slurm_names(const SlurmLine& line, const std::string& key,
                                     NetworkNotes& notes);

}  // namespace hockney::placement
