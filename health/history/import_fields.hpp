#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/json_node.hpp"
#include "health/history/night.hpp"

namespace hockney {

/// Throws the InputError or RunError that an error of SQLite about `file` means.
[[noreturn]] void rethrow(const SQLite::Exception& error, const std::string& file);

/// What `work` returns; errors of SQLite become hockney's.
template <class Work>
auto translated(const std::string& file, Work work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    rethrow(error, file);
  }
}

/// Begins at once as a writer, so that it waits for another one here and never in the middle;
/// undone unless committed.
class WriteTransaction {
 public:
  explicit WriteTransaction(SQLite::Database& database)
      : transaction_(database, SQLite::TransactionBehavior::IMMEDIATE) {}
  void commit() { transaction_.commit(); }

 private:
  SQLite::Transaction transaction_;
};

// What the lines of an export hold. All throw InputError, naming file, line and key.

/// Days since 1970 of a text like "2026-11-22".
std::int64_t day_at(const JsonNode& line, std::string_view key);

/// The whole line, of the kind "series".
SeriesKind read_series_kind(const JsonNode& line);

std::size_t count_at(const JsonNode& line, std::string_view key);

/// Finite and above 0, as all figures and times are.
double positive_at(const JsonNode& line, std::string_view key);

}  // namespace hockney
