#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "placement/network/numbered_lines.hpp"

namespace hockney::placement {

/// One line of a Slurm topology, its keys in lower case, since Slurm does not tell cases apart.
struct SlurmLine {
  std::map<std::string, std::string> values;
  int number = 0;

  [[nodiscard]] bool has(const std::string& key) const { return values.contains(key); }
  /// Empty where the line does not have it.
  [[nodiscard]] std::string text(const std::string& key) const;
};

/// The lines of such a text, of which each begins with one of the keys that name something.
/// InputError with the line for what is no "key=value", an unknown key, and a key given twice.
std::vector<SlurmLine> read_slurm_lines(const NetworkText& text);

/// InputError about that line of that text.
InputError slurm_error(const NetworkText& text, int line, const std::string& problem,
                       const std::string& why, const std::string& suggestion);

/// The names of a list, "leaf[0-3]"; InputError with the line for a malformed one.
std::vector<std::string> slurm_names(const NetworkText& text, const SlurmLine& line,
                                     const std::string& key);

}  // namespace hockney::placement
