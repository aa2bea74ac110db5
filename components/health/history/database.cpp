#include "components/health/history/database.hpp"

#include <sqlite3.h>

#include <fmt/format.h>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "components/health/history/night_writer.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace hockney::health {
namespace {

/// Values are ordered by day first. So appending a night writes one place of the file, and reading
/// a few series takes one search a day.
constexpr std::string_view measured = R"sql(
CREATE TABLE nights (
  id INTEGER PRIMARY KEY,
  day INTEGER NOT NULL,            -- since 1970-01-01, UTC
  campaign TEXT NOT NULL,
  UNIQUE (day, campaign)
) STRICT;
CREATE TABLE records (
  digest TEXT PRIMARY KEY,         -- of the content: what is here is not taken again
  night INTEGER NOT NULL REFERENCES nights,
  file TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX records_of_night ON records (night);
CREATE TABLE environments (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  facts TEXT NOT NULL              -- JSON object
) STRICT;
CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  unit TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('subject', 'control')),
  worse TEXT NOT NULL CHECK (worse IN ('larger', 'smaller'))
) STRICT;
CREATE TABLE figures (
  day INTEGER NOT NULL,
  series INTEGER NOT NULL REFERENCES series,
  night INTEGER NOT NULL REFERENCES nights,
  value REAL NOT NULL CHECK (value > 0),
  low REAL,                        -- of the interval over launches
  high REAL,
  level REAL,
  launches INTEGER NOT NULL,
  environment INTEGER REFERENCES environments,
  PRIMARY KEY (day, series)
) STRICT, WITHOUT ROWID;
CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE pair_points (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE pairs (
  day INTEGER NOT NULL,
  point INTEGER NOT NULL REFERENCES pair_points,
  hop TEXT NOT NULL,
  a INTEGER NOT NULL REFERENCES hosts,
  b INTEGER NOT NULL REFERENCES hosts,
  night INTEGER NOT NULL REFERENCES nights,
  seconds REAL NOT NULL CHECK (seconds > 0),
  launches INTEGER NOT NULL,
  PRIMARY KEY (day, point, hop, a, b)
) STRICT, WITHOUT ROWID;
)sql";

constexpr std::string_view reported_columns = R"sql(
CREATE TABLE notes (id INTEGER PRIMARY KEY, day INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE accepted (
  id INTEGER PRIMARY KEY,
  day INTEGER NOT NULL,
  series TEXT NOT NULL,            -- a name, with * for any text
  why TEXT NOT NULL,
  UNIQUE (day, series)
) STRICT;
CREATE TABLE maintenance (
  id INTEGER PRIMARY KEY,
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL CHECK (last_day >= first_day),
  why TEXT NOT NULL,
  UNIQUE (first_day, last_day)
) STRICT;
CREATE TABLE kept (name TEXT PRIMARY KEY, value REAL NOT NULL) STRICT;
)sql";

constexpr std::string_view faulty = R"sql(
CREATE TABLE faults (
  night INTEGER NOT NULL REFERENCES nights,
  fault TEXT NOT NULL,             -- the flag of the records
  points INTEGER NOT NULL,
  launches INTEGER NOT NULL,       -- with the fault
  of_launches INTEGER NOT NULL,    -- of the night
  first TEXT NOT NULL,             -- point
  detail TEXT NOT NULL,
  PRIMARY KEY (night, fault)
) STRICT, WITHOUT ROWID;
)sql";

/// `series` is a name, since the series may have no value in any night.
constexpr std::string_view absent = R"sql(
CREATE TABLE absences (
  night INTEGER NOT NULL REFERENCES nights,
  series TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (night, series)
) STRICT, WITHOUT ROWID;
ALTER TABLE figures ADD COLUMN half_digit REAL;  -- of printed values: half of the last digit
)sql";

constexpr std::array migrations{measured, reported_columns, faulty, absent};

constexpr int cache_kibibytes = 64 * 1024;

int open_flags(HistoryAccess access) {
  if (access == HistoryAccess::read) return SQLite::OPEN_READONLY;
  return SQLite::OPEN_READWRITE | (access == HistoryAccess::create ? SQLite::OPEN_CREATE : 0);
}

int pragma(SQLite::Database& database, const std::string& name) {
  return database.execAndGet("PRAGMA " + name).getInt();
}

void set_pragma(SQLite::Database& database, const std::string& name, int value) {
  database.exec(fmt::format("PRAGMA {} = {}", name, value));
}

void require_file(const std::string& file, HistoryAccess access) {
  if (access == HistoryAccess::create) return;
  std::error_code unreachable;
  if (std::filesystem::is_regular_file(file, unreachable)) return;
  const bool is_missing = unreachable == std::errc::no_such_file_or_directory;
  const std::string why = is_missing    ? "there is no such file"
                          : unreachable ? unreachable.message()
                                        : "it is no file";
  throw InputError({fmt::format("no history '{}'", file), why,
                    "make one with hockney health ingest, or name it with --history"});
}

bool is_empty(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt64() == 0;
}

void require_ours(SQLite::Database& database, const std::string& file) {
  if (is_empty(database) || pragma(database, "application_id") == history_application) return;
  throw InputError({fmt::format("'{}' is no history", file),
                    "it is the database of another program", "check the name"});
}

/// Migrates in one transaction, so that a history always has one complete version.
void migrate(SQLite::Database& database, const std::string& file) {
  WriteTransaction transaction(database);
  require_ours(database, file);
  for (int version = pragma(database, "user_version"); version < history_version(); ++version) {
    database.exec(std::string(history_migrations()[static_cast<std::size_t>(version)]));
  }
  set_pragma(database, "application_id", history_application);
  set_pragma(database, "user_version", history_version());
  transaction.commit();
}

void require_version(SQLite::Database& database, const std::string& file, HistoryAccess access) {
  const int version = pragma(database, "user_version");
  if (version < 0) {
    throw InputError({fmt::format("the history '{}' is damaged", file),
                      fmt::format("its version is {}", version),
                      "take a copy of the file, or ingest the records again"});
  }
  if (version > history_version()) {
    throw InputError({fmt::format("the history '{}' is newer than this hockney", file),
                      fmt::format("it is of version {}, this hockney knows up to {}", version,
                                  history_version()),
                      "use the hockney that wrote it, or a later one"});
  }
  if (version == history_version()) return;
  if (access != HistoryAccess::read) return migrate(database, file);
  throw InputError({fmt::format("the history '{}' is of an older hockney", file),
                    fmt::format("it is of version {}, and reading changes nothing", version),
                    "hockney health ingest brings it up to date"});
}

/// In this mode readers and the writer do not wait for each other. If several programs switch a new
/// file at once, SQLite 3.40 returns SQLITE_BUSY to all but one, whatever the busy timeout.
void switch_to_wal(SQLite::Database& database, std::chrono::milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  int result = database.tryExec("PRAGMA journal_mode = WAL");
  while (result == SQLITE_BUSY && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    result = database.tryExec("PRAGMA journal_mode = WAL");
  }
  if (result != SQLITE_OK) throw SQLite::Exception(database.getHandle(), result);
}

void prepare(SQLite::Database& database, HistoryAccess access, std::chrono::milliseconds wait) {
  set_pragma(database, "cache_size", -cache_kibibytes);
  set_pragma(database, "foreign_keys", 1);
  if (access == HistoryAccess::read) return;
  switch_to_wal(database, wait);
  database.exec("PRAGMA synchronous = FULL");  // a kill loses only uncommitted data
}

/// The file name in a URI of SQLite.
std::string uri_of(const std::string& file) {
  std::string uri = "file:";
  for (const char letter : file) {
    const bool is_special = letter == '%' || letter == '?' || letter == '#';
    if (is_special) {
      uri += letter == '%' ? "%25" : letter == '?' ? "%3f" : "%23";
    } else {
      uri += letter;
    }
  }
  return uri;
}

/// Opens a database for reading. A reader in WAL mode creates files beside it. If it lacks
/// permission, the database is read unchanged; it is complete unless a writer has left its log.
std::unique_ptr<SQLite::Database> open_to_read(const std::string& file, int wait_milliseconds) {
  auto database =
      std::make_unique<SQLite::Database>(file, SQLite::OPEN_READONLY, wait_milliseconds);
  try {
    is_empty(*database);
    return database;
  } catch (const SQLite::Exception& error) {
    const int code = error.getErrorCode();
    if (code != SQLITE_READONLY && code != SQLITE_CANTOPEN) throw;
  }
  std::error_code none;
  const auto log_bytes = std::filesystem::file_size(file + "-wal", none);
  if (!none && log_bytes > 0) {
    throw InputError(
        {fmt::format("cannot read the history '{}'", file),
         fmt::format("its last nights are in '{}-wal', which takes who may write to the folder",
                     file),
         "repeat when its writer is done, or ask its owner for hockney health list"});
  }
  return std::make_unique<SQLite::Database>(
      uri_of(file) + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI, wait_milliseconds);
}

}  // namespace

std::span<const std::string_view> history_migrations() { return migrations; }

HistoryDatabase::HistoryDatabase(const std::string& file, HistoryAccess access,
                                 std::chrono::milliseconds wait)
    : file_(file) {
  require_file(file, access);
  // SQLite follows links, despite the kernel's rule for folders such as /tmp.
  if (access != HistoryAccess::read) link_target(file);
  translated(file, [&] {
    const int milliseconds = static_cast<int>(wait.count());
    sqlite_ = access == HistoryAccess::read
                  ? open_to_read(file, milliseconds)
                  : std::make_unique<SQLite::Database>(file, open_flags(access), milliseconds);
    require_ours(*sqlite_, file);
    // An ingest that ended before its first commit leaves an empty file without a history.
    if (access == HistoryAccess::read && is_empty(*sqlite_)) {
      sqlite_ = std::make_unique<SQLite::Database>(":memory:", open_flags(HistoryAccess::create));
      migrate(*sqlite_, file);
    }
    require_version(*sqlite_, file, access);
    prepare(*sqlite_, access, wait);
  });
}

HistoryDatabase::HistoryDatabase(HistoryDatabase&&) noexcept = default;
HistoryDatabase& HistoryDatabase::operator=(HistoryDatabase&&) noexcept = default;
HistoryDatabase::~HistoryDatabase() = default;

int history_version() { return static_cast<int>(history_migrations().size()); }

}  // namespace hockney::health
