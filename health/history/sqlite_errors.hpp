#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <string>

namespace hockney::health {

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

}  // namespace hockney::health
