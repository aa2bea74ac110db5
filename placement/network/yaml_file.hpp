#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "placement/network/described_network.hpp"

namespace hockney::placement {

struct YamlMember;

/// A value of a YAML file: a text (numbers and truth values too), an object or a list.
struct YamlValue {
  std::string text;
  std::vector<YamlMember> members;  ///< of an object, in their order
  std::vector<YamlValue> items;     ///< of a list
  std::size_t line = 0;             ///< number of its first line

  /// The first member of that name; nullptr without one.
  [[nodiscard]] const YamlValue* find(const std::string& name) const;
};

struct YamlMember {
  std::string key;
  YamlValue value;
};

/// The documents of a YAML file, without tags. InputError with the line for malformed ones, for
/// aliases, and for more than 32 levels.
std::vector<YamlValue> read_yaml(const NetworkText& text);

}  // namespace hockney::placement
