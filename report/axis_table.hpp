#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "report/rows.hpp"

namespace hockney::report {

/// One value of an axis, all other axes and the point being the same.
struct AxisRow {
  std::string value;
  Row row;                                 ///< its median with interval
  std::optional<double> ratio;             ///< to the axis' default; nullopt for the default itself
  std::optional<Interval> ratio_interval;  ///< over launches, paired where both have the same ones
};

/// The values of an axis at one point, the default first.
struct AxisBlock {
  Point point;
  std::map<std::string, std::string> others;  ///< where on the other axes all of it lies
  std::vector<AxisRow> rows;
};

struct AxisTable {
  std::string axis;
  std::string base;               ///< the value that ratios are to
  std::vector<AxisBlock> blocks;  ///< by other axes, curve (in order of appearance) and bytes
  int settings_alone = 0;         ///< settings without a partner on this axis, left out
};

/// The complete launches of one campaign by one of its axes; InputError as of group_by_axis.
AxisTable by_axis(std::span<const Record> records, const std::string& axis);

/// One table for each curve and each place on the other axes; a line for each size and value, with
/// median, exact interval and ratio to the axis' default.
void print_axis_table(std::ostream& out, const AxisTable& table);

}  // namespace hockney::report
