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

/// One launch on a screen: smallest time and highest bandwidth of each operation, where it ran, a
/// table with sizes as rows and curves as columns, a table of operations without sizes, and one
/// footer. Lines outside tables begin with '#'. print_record_tables prints the rest.
void print_launch_summary(std::ostream& out, const Record& record, const SummaryStyle& style);

/// "shared memory up to 2K, CMA from 4K, proven" of the rows of one curve by size; empty where
/// nothing counted what carried the messages.
std::string path_sentence(std::span<const Row> curve);

}  // namespace hockney::report
