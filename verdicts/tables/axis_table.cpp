#include "verdicts/tables/axis_table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/row_columns.hpp"
#include "report/table.hpp"
#include "report/view.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney::report {
namespace {

/// Sentences below the table.
namespace words {

constexpr std::string_view no_pairs_on_axis =
    "# by {0}: no two settings with complete launches differ in {0} alone";
constexpr std::string_view axis_ratio =
    "# ratio: to {}, paired by launch where both have the same; intervals: over launches, each "
    "with 95 % confidence alone, from {} launches on";
constexpr std::string_view settings_alone =
    "# left out: {} settings that no other differs from in {} alone";

}  // namespace words

/// Compares without the algorithm: it is a result, and may differ between the values of an axis.
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

/// Title of a table: the properties common to its blocks.
std::string title_of(const AxisBlock& block) {
  return escaped(curve_name(block.point)) + places_text(block.others);
}

/// The algorithm that ran, from verification launches; "!" if it is not the requested one.
std::string ran_text(const Row& row) {
  const auto has = [&](std::string_view flag) {
    return std::ranges::find(row.flags, flag) != row.flags.end();
  };
  if (row.point.algorithm) {
    return escaped(*row.point.algorithm) + (has(algorithm_substituted_flag) ? "!" : "");
  }
  if (has(algorithm_substituted_flag)) return "another!";
  return has(algorithm_unproven_flag) ? "?" : "";
}

Value axis_remark(const AxisRow& line) {
  const std::string ran = ran_text(line.row);
  if (ran.empty() || !line.row.median_seconds) return remark_of(line.row, line.row.flags);
  return join(line.row.flags.empty() ? std::vector{"ran: " + ran}
                                     : std::vector{"ran: " + ran, join(line.row.flags, " ")},
              "  ");
}

Columns<AxisRow> axis_columns(const std::string& axis) {
  using Line = AxisRow;
  const Columns<Line> of_row = row_columns_of(&Line::row);
  return joined<Line>({chosen(of_row, {"bytes"}),
                       {{{"value", axis}, &Line::value}},
                       chosen(of_row, {"median_seconds", "spread_seconds", "launches"}),
                       {{{"ratio", "ratio", Unit::number}, &Line::ratio},
                        interval_column<Line>("ratio_ci", Unit::number,
                                              [](const Line& line) { return line.ratio_interval; }),
                        {{"remark", ""}, axis_remark}}});
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

void print_axis_table(std::ostream& out, const AxisTable& table) {
  const std::string axis = escaped(table.axis);
  out << '\n';
  if (table.blocks.empty()) {
    out << fmt::format(words::no_pairs_on_axis, axis) << '\n';
    return;
  }
  const Columns<AxisRow> columns = axis_columns(axis);
  for (auto block = table.blocks.begin(); block != table.blocks.end();) {
    const std::string title = title_of(*block);
    View view = make_view(columns, {});
    for (; block != table.blocks.end() && title_of(*block) == title; ++block) {
      for (const AxisRow& row : block->rows) view.rows.push_back(row_of(columns, row));
    }
    print_view(out, fmt::format("by {}: {}", axis, title), view);
  }
  out << fmt::format(words::axis_ratio, escaped(table.axis + "=" + table.base),
                     samples_for_interval())
      << '\n';
  if (table.settings_alone > 0) {
    out << fmt::format(words::settings_alone, table.settings_alone, axis) << '\n';
  }
}

}  // namespace hockney::report
