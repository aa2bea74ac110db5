#include "report/axis_table.hpp"

#include <algorithm>
#include <iomanip>
#include <string>

#include "core/algorithm_use.hpp"
#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "core/sizes.hpp"
#include "report/columns.hpp"
#include "report/number_text.hpp"
#include "report/places_text.hpp"

namespace hockney {
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
