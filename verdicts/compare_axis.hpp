#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "verdicts/compare.hpp"

namespace hockney {

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
};

/// Compares every value of an axis with its base (verdicts/axis_groups.hpp) launch by launch; one
/// family of verdicts over all values, points and places on the other axes. InputError as of
/// group_by_axis and compare.
AxisCompareSet compare_by_axis(std::span<const Record> records, const std::string& axis,
                               CompareOptions options = {});

}  // namespace hockney
