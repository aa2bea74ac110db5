#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/record.hpp"
#include "verdicts/compare.hpp"

namespace hockney::verdicts {

/// The parameters of measured points of complete launches, in order of the alphabet.
std::vector<std::string> parameters_of(std::span<const Record> records);

/// The launches as if a parameter of their points had been an axis of a sweep: of each complete
/// launch one record for each value, with the points of that value alone, and without the parameter
/// in them. Launches of no campaign are numbered as they come. Settings that lie on no axis are
/// kept apart by an axis "setting".
std::vector<Record> as_axis(std::span<const Record> records, const std::string& parameter);

/// The complete launches of the settings that differ in one axis only.
struct AxisGroup {
  std::map<std::string, std::string> others;  ///< where on the other axes all of them lie
  std::vector<std::pair<std::string, std::vector<Record>>> values;  ///< in order of values

  /// The launches with this value; nullptr when there are none.
  [[nodiscard]] const std::vector<Record>* find(const std::string& value) const;
};

/// The value of an axis that leaves the choice to the library.
inline constexpr std::string_view default_axis_value = "default";

/// Whether one value of an axis stands before another: the default, then numbers by size (with
/// their unit, if they have one), then words.
bool axis_value_precedes(const std::string& a, const std::string& b);

/// A campaign by one of its axes, its values in the order of axis_value_precedes.
struct AxisGroups {
  std::string axis;
  std::string base;  ///< what the others are compared with: the plain value, else the first of all
  std::vector<AxisGroup> groups;   ///< of two values or more
  std::vector<std::string> alone;  ///< values of settings that no other differs from in it alone
};

/// The axes of complete launches, in order of the alphabet.
std::vector<std::string> axes_of(std::span<const Record> records);

/// InputError naming the nearest axis for one there is not, and for launches of several campaigns,
/// whose numbers mean nothing to each other.
AxisGroups group_by_axis(std::span<const Record> records, const std::string& axis);

/// One value of an axis as B against the axis' base as A, all other axes being the same.
struct AxisComparison {
  std::string value;
  std::map<std::string, std::string> others;  ///< where on the other axes both lie
  CompareSet set;                             ///< judged together with all others
};

struct AxisCompareSet {
  std::string axis;
  std::string base;
  CompareOptions options;
  std::size_t family = 0;                   ///< points of all comparisons together
  std::vector<AxisComparison> comparisons;  ///< by other axes, then in order of values
  std::vector<std::string> alone;           ///< values that have no base to be compared with
  std::vector<FaultFinding> faults;         ///< of the records, whose figures are left out
  std::string oversubscribed;               ///< as of CompareSet
};

/// Compares every value of an axis with one of them launch by launch: with `base`, or where that is
/// empty with that of AxisGroups; one family of verdicts over all values, points and places on
/// the other axes. Where there is no such axis, a parameter of the points is one. InputError as of
/// group_by_axis and compare, and for a base that no launch has.
AxisCompareSet compare_by_axis(std::span<const Record> records, const std::string& axis,
                               CompareOptions options = {}, const std::string& base = {});

inline constexpr std::string_view compare_axis_schema = "hockney.compare-axis/1";

/// The document of `hockney compare --by`: that of a comparison for each value of the axis.
nlohmann::json to_json(const AxisCompareSet& set);

}  // namespace hockney::verdicts
