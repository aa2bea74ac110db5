#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace SQLite {
class Database;
}

namespace hockney::health {

/// "hock", in the header of the file: tells a history from the databases of other programs.
inline constexpr int history_application = 0x686f636b;

/// What makes a history of version i of one of version i - 1, as SQL; version 0 is an empty file.
/// Only ever appended to: histories of sites hold what earlier ones made.
std::span<const std::string_view> history_migrations();

/// What a history is opened for. Only `create` makes one that is not there.
enum class HistoryAccess { read, write, create };

/// How long to wait for another writer.
inline constexpr std::chrono::milliseconds default_history_wait{10'000};

/// A history on disk: SQLite, one writer and many readers at a time (WAL). Every function that
/// takes one throws InputError for a file that is no history, is damaged or is of a newer hockney,
/// RunError when it stays locked by another writer or the disk refuses.
class HistoryDatabase {
 public:
  /// A history of an older version is brought up to this one, which needs `write` or `create`.
  HistoryDatabase(const std::string& file, HistoryAccess access,
                  std::chrono::milliseconds wait = default_history_wait);
  HistoryDatabase(const HistoryDatabase&) = delete;
  HistoryDatabase& operator=(const HistoryDatabase&) = delete;
  HistoryDatabase(HistoryDatabase&&) noexcept;
  HistoryDatabase& operator=(HistoryDatabase&&) noexcept;
  ~HistoryDatabase();

  [[nodiscard]] const std::string& file() const { return file_; }
  /// For history/ alone.
  [[nodiscard]] SQLite::Database& sqlite() const { return *sqlite_; }

 private:
  std::string file_;
  std::unique_ptr<SQLite::Database> sqlite_;
};

/// The version of the schema that this program writes.
int history_version();

}  // namespace hockney::health
