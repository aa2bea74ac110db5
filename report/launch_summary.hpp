#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <span>
#include <string>

#include "core/record.hpp"
#include "report/curve_tables.hpp"

namespace hockney::report {

/// Width, and facts that only the program has.
struct SummaryStyle {
  TableStyle table;
  std::size_t columns = 80;
  std::map<std::string, std::string> bytes_of{};  ///< meaning of `bytes` for an operation
};

/// Prints the summary of one launch: smallest time and highest bandwidth of each operation, and
/// places of the ranks. Then a table with sizes as rows and curves as columns, a table of
/// operations without sizes, and one footer. Lines outside tables begin with '#'.
/// print_record_tables prints further tables.
void print_launch_summary(std::ostream& out, const Record& record, const SummaryStyle& style);

/// Path of one curve, whose rows ascend by size: "shared memory up to 2K, CMA from 4K, proven".
/// Empty without transport counters.
std::string path_sentence(std::span<const Row> curve);

}  // namespace hockney::report
