#pragma once

#include <string>
#include <vector>

#include "placement/network/network_notes.hpp"
#include "placement/network/numbered_lines.hpp"

namespace hockney::placement {

struct YamlMember;

/// A value of a YAML file: a text (numbers and truth values too), an object or a list.
struct YamlValue {
  std::string text;
  std::vector<YamlMember> members;  ///< of an object, in their order
  std::vector<YamlValue> items;     ///< of a list
  int line = 0;                     ///< number of its first line

  /// The first member of that name; nullptr where there is none.
  [[nodiscard]] const YamlValue* find(const std::string& name) const;
};

struct YamlMember {
  std::string key;
  YamlValue value;
};

/// The values at the top of a YAML file. The subset is what configuration files use: objects and
/// lists by indentation or in brackets, plain, quoted and folded texts, comments and tags. A line
/// beyond it (an anchor, a tab before a key, a key without a colon) is left out, and `notes` name
/// it; the rest counts. InputError for the character NUL.
std::vector<YamlValue> read_yaml(const NetworkText& text, NetworkNotes& notes);

}  // namespace hockney::placement
