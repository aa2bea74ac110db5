#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <span>
#include <string>

#include "core/record.hpp"
#include "report/curve_tables.hpp"

namespace hockney::report {

/// How wide it may be, and what only the program knows.
struct SummaryStyle {
  TableStyle table;
  std::size_t columns = 80;
  std::map<std::string, std::string> bytes_of{};  ///< what the bytes of an operation are
};

/// One launch on a screen: the times at the smallest and the highest bandwidth of its operations;
/// where it ran; one table, with a row for each size and a column for each curve, and one of what
/// has no size, with a row for each; and once what is to be known of all of it. For awk: every
/// other line begins with '#'. What it leaves out print_record_tables prints.
void print_launch_summary(std::ostream& out, const Record& record, const SummaryStyle& style);

/// "shared memory up to 2K, CMA from 4K, proven" of the rows of one curve by size; empty where
/// nothing counted what carried the messages.
std::string path_sentence(std::span<const Row> curve);

}  // namespace hockney::report
