#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "health/history/database.hpp"

namespace hockney::health {

inline constexpr std::string_view history_schema = "hockney.history/1";

/// Writes the whole history as of one moment, one JSON document a line. The first line describes
/// the export. Environments and series follow, then the records, figures and pairs of each night,
/// then remarks of users, then the number of lines. Lines are written as they are read. Equal
/// histories give equal texts, independent of their past.
void export_history(const HistoryDatabase& database, std::ostream& out);

/// Contents added by an import.
struct Imported {
  std::size_t nights = 0;
  std::size_t nights_there = 0;  ///< in the history already, with the same records
  std::size_t figures = 0;
  std::size_t pairs = 0;
  std::size_t remarks = 0;  ///< notes, accepted shifts, maintenance
};

/// Adds an export to a history, completely or not at all. InputError with `name` and the line if it
/// cannot be read, or if the history has a night with other records.
Imported import_history(const HistoryDatabase& database, std::istream& in, const std::string& name);

}  // namespace hockney::health
