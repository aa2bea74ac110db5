#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "report/record_tables.hpp"

namespace hockney::report {

/// What print_record_tables() prints of the records.
inline std::string printed_tables(const std::vector<Record>& records) {
  std::ostringstream out;
  print_record_tables(out, records);
  return out.str();
}

/// A line with single blanks between its words, whatever the widths of columns are.
inline std::string squeezed(const std::string& line) {
  std::istringstream words(line);
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace hockney::report
