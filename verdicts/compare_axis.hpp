#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/record.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {

/// Parameters of the measured points of complete launches, in alphabetical order.
std::vector<std::string> parameters_of(std::span<const Record> records);

/// Turns a parameter of the points into an axis of a sweep. Each complete launch gives one record
/// for each value. That record has only the points with this value, without the parameter. Launches
/// outside campaigns are numbered in their order. Settings without axes get the axis "setting".
std::vector<Record> as_axis(std::span<const Record> records, const std::string& parameter);

/// Complete launches of settings that differ in one axis only.
struct AxisGroup {
  std::map<std::string, std::string> others;  ///< their common values on the other axes
  std::vector<std::pair<std::string, std::vector<Record>>> values;  ///< by axis_value_precedes

  /// The launches with this value; nullptr without any.
  [[nodiscard]] const std::vector<Record>* find(const std::string& value) const;
};

/// The axis value that leaves the choice to the MPI library.
inline constexpr std::string_view default_axis_value = "default";

/// Sort order of axis values: the default, then numbers by size (with their unit, if any), then
/// words.
bool axis_value_precedes(const std::string& a, const std::string& b);

/// A campaign grouped by one axis; values are in the order of axis_value_precedes.
struct AxisGroups {
  std::string axis;
  std::string base;               ///< reference of the comparisons: the plain value, else the first
  std::vector<AxisGroup> groups;  ///< of two values or more
  std::vector<std::string> alone;  ///< values without a setting that differs in this axis only
};

/// The axes of complete launches, in alphabetical order.
std::vector<std::string> axes_of(std::span<const Record> records);

/// InputError for an unknown axis, naming the nearest one. InputError for launches of several
/// campaigns, whose launch numbers are unrelated.
AxisGroups group_by_axis(std::span<const Record> records, const std::string& axis);

/// One axis value as B against the axis' base as A, with equal values on all other axes.
struct AxisComparison {
  std::string value;
  std::map<std::string, std::string> others;  ///< common values on the other axes
  CompareSet set;                             ///< judged together with all others
};

struct AxisCompareSet {
  std::string axis;
  std::string base;
  CompareOptions options;
  std::size_t family = 0;                   ///< points of all comparisons together
  std::vector<AxisComparison> comparisons;  ///< by other axes, then in order of values
  std::vector<std::string> alone;           ///< values without a base to compare with
  std::vector<FaultFinding> faults;         ///< of the records; their figures are left out
  std::string oversubscribed;               ///< as of CompareSet
};

/// Compares every value of an axis with `base`, launch by launch; if `base` is empty, with
/// AxisGroups::base. All values, points and values of the other axes are one family of verdicts.
/// Without an axis of this name, a parameter of the points serves as one. InputError as of
/// group_by_axis and compare, and if no launch has `base`.
AxisCompareSet compare_by_axis(std::span<const Record> records, const std::string& axis,
                               CompareOptions options = {}, const std::string& base = {});

}  // namespace hockney::verdicts
