#include "report/axis_table.hpp"

#include <algorithm>
#include <iomanip>
#include <string>
#include <utility>

#include "core/algorithm_use.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/number_text.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"

namespace hockney {
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

void add_ratio(AxisRow& row, const CompareSet& set) {
  for (const Comparison& comparison : set.comparisons) {
    if (!same_point(comparison.point, row.row.point)) continue;
    row.ratio = comparison.ratio;
    row.ratio_interval = comparison.ratio_interval;
  }
}

std::vector<AxisBlock> blocks_of(const AxisGroup& group, const std::string& base) {
  std::vector<AxisBlock> blocks;
  const std::vector<Record>* base_launches = group.find(base);
  for (const auto& [value, launches] : group.values) {
    const bool has_ratio = value != base && base_launches != nullptr;
    const CompareSet set =
        has_ratio ? compare(*base_launches, launches,
                            {.correction = Correction::none, .origin = Origin::one_campaign})
                  : CompareSet();
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
  const AxisGroups groups = group_by_axis(records, axis);
  AxisTable table{
      .axis = axis, .base = groups.base, .settings_alone = static_cast<int>(groups.alone.size())};
  for (const AxisGroup& group : groups.groups) {
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

int axis_width(const AxisTable& table) {
  std::size_t width = inert(table.axis).size();
  for (const AxisBlock& block : table.blocks) {
    for (const AxisRow& row : block.rows) width = std::max(width, inert(row.value).size());
  }
  return static_cast<int>(width) + 2;
}

/// What ran, where witnesses tell; "!" where it is not what was asked for.
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

void print_header(std::ostream& out, const AxisTable& table, const std::string& title, int width) {
  out << "\nby " << inert(table.axis) << ": " << title << '\n'
      << std::setw(bytes_width) << "bytes" << std::setw(width) << inert(table.axis)
      << std::setw(time_width) << "time[us]" << std::setw(interval_width) << "interval[us]"
      << std::setw(count_width) << "launches" << std::setw(count_width) << "ratio"
      << std::setw(interval_width) << "interval" << '\n';
}

void print_row(std::ostream& out, const AxisRow& line, int width) {
  const Row& row = line.row;
  out << std::setw(bytes_width) << format_bytes(row.point.bytes) << std::setw(width)
      << inert(line.value);
  if (!row.median_seconds) {
    out << "  not measured (" << inert(row.reason) << ")\n";
    return;
  }
  out << std::setw(time_width) << significant(*row.median_seconds * microseconds)
      << std::setw(interval_width) << interval_text(row.interval_seconds, microseconds)
      << std::setw(count_width) << row.launch_medians_seconds.size() << std::setw(count_width)
      << (line.ratio ? significant(*line.ratio, ratio_digits) : "-") << std::setw(interval_width)
      << interval_text(line.ratio_interval, 1, ratio_digits);
  if (const std::string ran = ran_text(row); !ran.empty()) out << "  ran: " << ran;
  if (!row.flags.empty()) out << "  " << inert(join(row.flags, " "));
  out << '\n';
}

}  // namespace

void print_axis_table(std::ostream& out, const AxisTable& table) {
  const int width = axis_width(table);
  std::string title;
  for (const AxisBlock& block : table.blocks) {
    if (title_of(block) != title) print_header(out, table, title_of(block), width);
    title = title_of(block);
    for (const AxisRow& row : block.rows) print_row(out, row, width);
  }
  if (table.blocks.empty()) {
    out << "\nby " << inert(table.axis) << ": no two settings with complete launches differ in "
        << inert(table.axis) << " alone\n";
    return;
  }
  out << "\n  ratio: to " << inert(table.axis + "=" + table.base)
      << ", paired by launch where both have the same; intervals: over launches, each 95 % sure by "
         "itself, from "
      << samples_for_interval() << " launches on\n";
  if (table.settings_alone > 0) {
    out << "  left out: " << table.settings_alone << " settings that no other differs from in "
        << inert(table.axis) << " alone\n";
  }
}

}  // namespace hockney
