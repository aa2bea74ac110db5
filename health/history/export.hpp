#pragma once

#include <cstddef>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "health/history/database.hpp"

namespace hockney::health {

inline constexpr std::string_view history_schema = "hockney.history/1";

/// The whole history as of one moment, one JSON document a line: what the export is, environments,
/// series, then night by night its records, figures and pairs, what people told of it, and how many
/// lines that was. Written as it is read. Equal histories give equal texts, however they came
/// about.
void export_history(const HistoryDatabase& database, std::ostream& out);

/// What an import brought.
struct Imported {
  std::size_t nights = 0;
  std::size_t nights_there = 0;  ///< in the history already, made of the same records
  std::size_t figures = 0;
  std::size_t pairs = 0;
  std::size_t remarks = 0;  ///< notes, accepted shifts, maintenance
};

/// Adds an export to a history, whole or not at all. InputError naming `name` and the line for one
/// that cannot be read, and for a night that is there, made of other records.
Imported import_history(const HistoryDatabase& database, std::istream& in, const std::string& name);

}  // namespace hockney::health
