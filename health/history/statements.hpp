#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <type_traits>
#include <vector>

#include "health/history/database.hpp"
#include "health/history/sqlite_errors.hpp"

namespace hockney::health {

/// Executes one statement with the values in its places.
template <class... Values>
void execute(SQLite::Database& database, const char* sql, const Values&... values) {
  SQLite::Statement statement(database, sql);
  [[maybe_unused]] int place = 0;
  (statement.bind(++place, values), ...);
  statement.exec();
}

/// What `read` makes of each row that a query with these values finds, in their order.
template <class Read, class... Values>
auto rows_of(SQLite::Database& database, const char* sql, Read read, const Values&... values) {
  SQLite::Statement row(database, sql);
  [[maybe_unused]] int place = 0;
  (row.bind(++place, values), ...);
  std::vector<std::invoke_result_t<Read, SQLite::Statement&>> rows;
  while (row.executeStep()) rows.push_back(read(row));
  return rows;
}

/// The same of a history, with errors of SQLite as hockney's.
template <class... Values>
void execute(const HistoryDatabase& database, const char* sql, const Values&... values) {
  translated(database.file(), [&] { execute(database.sqlite(), sql, values...); });
}

template <class Read, class... Values>
auto rows_of(const HistoryDatabase& database, const char* sql, Read read, const Values&... values) {
  return translated(database.file(),
                    [&] { return rows_of(database.sqlite(), sql, read, values...); });
}

}  // namespace hockney::health
