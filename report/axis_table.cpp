#include "report/axis_table.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/table.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {
namespace {

/// The algorithm is what was found, which may differ between the values of an axis.
bool same_point(Point a, Point b) {
  a.algorithm.reset();
  b.algorithm.reset();
  return a.bytes == b.bytes && curve_name(a) == curve_name(b);
}

AxisBlock& block_of(std::vector<AxisBlock>& blocks, const Point& point) {
  const auto found = std::ranges::find_if(
      blocks, [&](const AxisBlock& block) { return same_point(block.point, point); });
  if (found != blocks.end()) return *found;
  AxisBlock& block = blocks.emplace_back(AxisBlock{.point = point});
  block.point.algorithm.reset();
  return block;
}

void add_ratio(AxisRow& row, const verdicts::CompareSet& set) {
  for (const verdicts::Comparison& comparison : set.comparisons) {
    if (!same_point(comparison.point, row.row.point)) continue;
    row.ratio = comparison.ratio;
    row.ratio_interval = comparison.ratio_interval;
  }
}

std::vector<AxisBlock> blocks_of(const verdicts::AxisGroup& group, const std::string& base) {
  std::vector<AxisBlock> blocks;
  const std::vector<Record>* base_launches = group.find(base);
  for (const auto& [value, launches] : group.values) {
    const bool has_ratio = value != base && base_launches != nullptr;
    const verdicts::CompareSet set =
        has_ratio ? verdicts::compare(*base_launches, launches,
                                      {.correction = verdicts::Correction::none,
                                       .origin = verdicts::Origin::one_campaign})
                  : verdicts::CompareSet();
    for (Row& row : campaign_rows(launches)) {
      AxisBlock& block = block_of(blocks, row.point);
      block.rows.push_back({.value = value, .row = std::move(row)});
      add_ratio(block.rows.back(), set);
    }
  }
  return blocks;
}

}  // namespace

AxisTable by_axis(std::span<const Record> records, const std::string& axis) {
  const verdicts::AxisGroups groups = verdicts::group_by_axis(records, axis);
  AxisTable table{
      .axis = axis, .base = groups.base, .settings_alone = static_cast<int>(groups.alone.size())};
  for (const verdicts::AxisGroup& group : groups.groups) {
    for (AxisBlock& block : blocks_of(group, table.base)) {
      block.others = group.others;
      table.blocks.push_back(std::move(block));
    }
  }
  return table;
}

namespace {

/// What all blocks of one table share.
std::string title_of(const AxisBlock& block) {
  return inert(curve_name(block.point)) + places_text(block.others);
}

/// What ran, where verification runs tell; "!" where it is not what was asked for.
std::string ran_text(const Row& row) {
  const auto has = [&](std::string_view flag) {
    return std::ranges::find(row.flags, flag) != row.flags.end();
  };
  if (row.point.algorithm) {
    return inert(*row.point.algorithm) + (has(algorithm_substituted_flag) ? "!" : "");
  }
  if (has(algorithm_substituted_flag)) return "another!";
  return has(algorithm_unproven_flag) ? "?" : "";
}

void add(Table& table, const AxisRow& line) {
  const Row& row = line.row;
  std::vector<std::string> cells{bytes_cell(row), inert(line.value)};
  if (!row.median_seconds) {
    table.row(cells, "not measured (" + inert(row.reason) + ")");
    return;
  }
  std::vector<std::string> remarks;
  if (const std::string ran = ran_text(row); !ran.empty()) remarks.push_back("ran: " + ran);
  if (!row.flags.empty()) remarks.push_back(flags_remark(row.flags));
  cells.insert(cells.end(), {time_cell(row), interval_cell(row), launches_cell(row),
                             significant(line.ratio, 1, ratio_digits),
                             interval_text(line.ratio_interval, 1, ratio_digits)});
  table.row(std::move(cells), join(remarks, "  "));
}

Table lines_of(const AxisTable& axis_table) {
  const std::string axis = inert(axis_table.axis);
  Table table({bytes_column,
               {axis, 0},
               {"time[us]", time_width},
               {"interval[us]", interval_width},
               {"launches", count_width},
               {"ratio", count_width},
               {"interval", interval_width}});
  table.comment_texts();
  std::string title;
  for (const AxisBlock& block : axis_table.blocks) {
    if (title_of(block) != title) {
      title = title_of(block);
      table.text("");
      table.text("by " + axis + ": " + title);
      table.header();
    }
    for (const AxisRow& row : block.rows) add(table, row);
  }
  return table;
}

}  // namespace

void print_axis_table(std::ostream& out, const AxisTable& table) {
  const std::string axis = inert(table.axis);
  if (table.blocks.empty()) {
    out << "\n# by " << axis << ": no two settings with complete launches differ in " << axis
        << " alone\n";
    return;
  }
  out << lines_of(table) << "\n# ratio: to " << inert(table.axis + "=" + table.base)
      << ", paired by launch where both have the same; intervals: over launches, each with 95 % "
         "confidence by itself, from "
      << samples_for_interval() << " launches on\n";
  if (table.settings_alone > 0) {
    out << "# left out: " << table.settings_alone << " settings that no other differs from in "
        << axis << " alone\n";
  }
}

}  // namespace hockney::report
