#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// The complete launches of the settings that differ in one axis only.
struct AxisGroup {
  std::map<std::string, std::string> others;  ///< where on the other axes all of them lie
  std::vector<std::pair<std::string, std::vector<Record>>> values;  ///< in order of values

  /// The launches with this value; nullptr when there are none.
  [[nodiscard]] const std::vector<Record>* find(const std::string& value) const;
};

/// A campaign by one of its axes. Values are in order: "default", then numbers by size (with their
/// unit, if they have one), then words.
struct AxisGroups {
  std::string axis;
  std::string base;                ///< the first value of all: what the others are compared with
  std::vector<AxisGroup> groups;   ///< of two values or more
  std::vector<std::string> alone;  ///< values of settings that no other differs from in it alone
};

/// The axes of complete launches, in order of the alphabet.
std::vector<std::string> axes_of(std::span<const Record> records);

/// InputError naming the nearest axis for one there is not, and for launches of several campaigns,
/// whose numbers mean nothing to each other.
AxisGroups group_by_axis(std::span<const Record> records, const std::string& axis);

}  // namespace hockney
