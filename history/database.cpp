#include "history/database.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "history/schema.hpp"
#include "history/translated.hpp"

namespace hockney {
namespace {

constexpr int cache_kibibytes = 64 * 1024;

int open_flags(HistoryAccess access) {
  if (access == HistoryAccess::read) return SQLite::OPEN_READONLY;
  return SQLite::OPEN_READWRITE | (access == HistoryAccess::create ? SQLite::OPEN_CREATE : 0);
}

int pragma(SQLite::Database& database, const std::string& name) {
  return database.execAndGet("PRAGMA " + name).getInt();
}

void set_pragma(SQLite::Database& database, const std::string& name, int value) {
  database.exec("PRAGMA " + name + " = " + std::to_string(value));
}

void require_file(const std::string& file, HistoryAccess access) {
  if (access == HistoryAccess::create) return;
  std::error_code unreachable;
  if (std::filesystem::is_regular_file(file, unreachable)) return;
  const bool is_missing = unreachable == std::errc::no_such_file_or_directory;
  const std::string why = is_missing    ? "there is no such file"
                          : unreachable ? unreachable.message()
                                        : "it is no file";
  throw InputError({"no history '" + file + "'", why,
                    "make one with hockney health ingest, or name it with --history"});
}

void require_ours(SQLite::Database& database, const std::string& file) {
  const bool is_empty = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt64() == 0;
  if (is_empty || pragma(database, "application_id") == history_application) return;
  throw InputError(
      {"'" + file + "' is no history", "it is the database of another program", "check the name"});
}

/// One transaction, so that a history is of one version or the next and never between.
void migrate(SQLite::Database& database, const std::string& file) {
  WriteTransaction transaction(database);
  require_ours(database, file);
  const auto migrations = history_migrations();
  for (int version = pragma(database, "user_version"); version < history_version(); ++version) {
    database.exec(std::string(migrations[static_cast<std::size_t>(version)]));
  }
  set_pragma(database, "application_id", history_application);
  set_pragma(database, "user_version", history_version());
  transaction.commit();
}

void require_version(SQLite::Database& database, const std::string& file, HistoryAccess access) {
  require_ours(database, file);
  const int version = pragma(database, "user_version");
  const std::string versions = "it is of version " + std::to_string(version) +
                               ", this hockney knows up to " + std::to_string(history_version());
  if (version > history_version()) {
    throw InputError({"the history '" + file + "' is newer than this hockney", versions,
                      "use the hockney that wrote it, or a later one"});
  }
  if (version == history_version()) return;
  if (access != HistoryAccess::read) return migrate(database, file);
  throw InputError({"the history '" + file + "' is of an older hockney",
                    "it is of version " + std::to_string(version) + ", and reading changes nothing",
                    "hockney health ingest brings it up to date"});
}

void prepare(SQLite::Database& database, HistoryAccess access) {
  set_pragma(database, "cache_size", -cache_kibibytes);
  set_pragma(database, "foreign_keys", 1);
  if (access == HistoryAccess::read) return;
  // A reader never waits for the writer, nor the writer for readers; a kill loses what was not
  // committed and nothing else.
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
}

}  // namespace

HistoryDatabase::HistoryDatabase(const std::string& file, HistoryAccess access,
                                 std::chrono::milliseconds wait)
    : file_(file) {
  require_file(file, access);
  translated(file, [&] {
    sqlite_ = std::make_unique<SQLite::Database>(file, open_flags(access),
                                                 static_cast<int>(wait.count()));
    require_version(*sqlite_, file, access);
    prepare(*sqlite_, access);
  });
}

HistoryDatabase::HistoryDatabase(HistoryDatabase&&) noexcept = default;
HistoryDatabase& HistoryDatabase::operator=(HistoryDatabase&&) noexcept = default;
HistoryDatabase::~HistoryDatabase() = default;

int history_version() { return static_cast<int>(history_migrations().size()); }

}  // namespace hockney
