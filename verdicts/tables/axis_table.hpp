#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "report/rows.hpp"

namespace hockney::report {

/// One value of an axis at one point, with fixed values on all other axes.
struct AxisRow {
  std::string value;
  Row row;                                 ///< its median with interval
  std::optional<double> ratio;             ///< to the axis' default; nullopt for the default itself
  std::optional<Interval> ratio_interval;  ///< over launches, paired if both have the same
};

/// The values of an axis at one point, the default first.
struct AxisBlock {
  Point point;
  std::map<std::string, std::string> others;  ///< common values on the other axes
  std::vector<AxisRow> rows;
};

struct AxisTable {
  std::string axis;
  std::string base;               ///< reference value of the ratios
  std::vector<AxisBlock> blocks;  ///< by other axes, curve (in order of appearance) and bytes
  int settings_alone = 0;         ///< settings without a partner on this axis, left out
};

/// The complete launches of one campaign by one of its axes; InputError as of group_by_axis.
AxisTable by_axis(std::span<const Record> records, const std::string& axis);

/// One table for each curve and each set of values on the other axes. A line for each size and
/// value: median, exact interval and ratio to the axis' default.
void print_axis_table(std::ostream& out, const AxisTable& table);

}  // namespace hockney::report
