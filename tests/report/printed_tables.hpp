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

}  // namespace hockney::report
