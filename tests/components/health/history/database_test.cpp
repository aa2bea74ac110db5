#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <barrier>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "components/health/history/database.hpp"
#include "components/health/history/night_writer.hpp"
#include "components/health/history/reading.hpp"
#include "tests/components/health/history/some_nights.hpp"

namespace hockney::health {
namespace {

/// A history as the first version of the schema made it, with one night.
std::string old_history(const TemporaryFolder& folder) {
  const std::string file = folder.path() + "/old.sqlite";
  SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec(std::string(history_migrations()[0]));
  database.exec("PRAGMA user_version = 1");
  database.exec("PRAGMA application_id = " + std::to_string(history_application));
  database.exec("INSERT INTO nights (day, campaign) VALUES (20779, 'nightly')");
  return file;
}

std::string open_error(const std::string& file, HistoryAccess access) {
  return error_line([&] { HistoryDatabase(file, access, std::chrono::milliseconds(1)); });
}

}  // namespace

TEST_CASE("a new history is of this version and in WAL mode") {
  const SomeHistory history;
  SQLite::Database& sqlite = history.database.sqlite();
  CHECK(sqlite.execAndGet("PRAGMA user_version").getInt() == history_version());
  CHECK(sqlite.execAndGet("PRAGMA application_id").getInt() == history_application);
  CHECK(sqlite.execAndGet("PRAGMA journal_mode").getString() == "wal");
  CHECK(sqlite.execAndGet("PRAGMA foreign_keys").getInt() == 1);
}

TEST_CASE("programs that make a history at once wait for each other") {
  const TemporaryFolder folder;
  for (int round = 0; round < 40; ++round) {
    const std::string file = folder.path() + "/" + std::to_string(round) + ".sqlite";
    std::array<std::string, 4> errors;
    std::barrier<> start(static_cast<std::ptrdiff_t>(errors.size()));
    std::vector<std::jthread> threads;
    for (std::string& error : errors) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        try {
          HistoryDatabase(file, HistoryAccess::create, std::chrono::minutes(1));
        } catch (const std::exception& thrown) {
          error = thrown.what();
        }
      });
    }
    threads.clear();
    CHECK(errors == std::array<std::string, 4>{});
  }
}

TEST_CASE("a history of an older version is brought up to date and keeps its nights") {
  const TemporaryFolder folder;
  const std::string file = old_history(folder);
  CHECK_THAT(open_error(file, HistoryAccess::read), Catch::Contains("of an older hockney"));
  const HistoryDatabase database(file, HistoryAccess::write);
  CHECK(database.sqlite().execAndGet("PRAGMA user_version").getInt() == history_version());
  CHECK(history_days(database) == std::vector<std::int64_t>{20779});
  add_note(database, {.day = 20779, .text = "updated"});
  CHECK(read_notes(database).size() == 1);
}

namespace {

/// Whether a process without rights in a folder can read a history there, and finds a day.
bool can_read_without_rights(const std::string& file) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t no_rank = 65534;
    const bool is_root = ::geteuid() == 0;
    if (is_root && (::setgid(no_rank) != 0 || ::setuid(no_rank) != 0)) ::_exit(2);
    try {
      const HistoryDatabase database(file, HistoryAccess::read, std::chrono::milliseconds(1));
      ::_exit(history_days(database).size() == 1 ? 0 : 3);
    } catch (const std::exception&) {
      ::_exit(1);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a history is read by who may write neither to it nor to its folder") {
  using std::filesystem::perms;
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/a#b");  // no letters of a URI
  const std::string file = folder.path() + "/a#b/history.sqlite";
  {
    const HistoryDatabase database(file, HistoryAccess::create);
    database.sqlite().exec("INSERT INTO nights (day, campaign) VALUES (20779, 'nightly')");
  }
  constexpr perms readable = perms::owner_read | perms::group_read | perms::others_read;
  constexpr perms passable = readable | perms::owner_exec | perms::group_exec | perms::others_exec;
  std::filesystem::permissions(file, readable);
  std::filesystem::permissions(folder.path() + "/a#b", passable);
  std::filesystem::permissions(folder.path(), passable);
  CHECK(can_read_without_rights(file));
  std::filesystem::permissions(folder.path(), perms::owner_all);
  std::filesystem::permissions(folder.path() + "/a#b", perms::owner_all);
}

TEST_CASE("a history of a newer version is refused") {
  SomeHistory history;
  history.database.sqlite().exec("PRAGMA user_version = 99");
  for (const HistoryAccess access :
       {HistoryAccess::read, HistoryAccess::write, HistoryAccess::create}) {
    CHECK_THAT(open_error(history.file, access),
               Catch::Contains("is newer than this hockney (it is of version 99"));
  }
}

TEST_CASE("what is no history is refused and left as it is") {
  const TemporaryFolder folder;
  const std::string text = folder.write("text.sqlite", std::string(2000, 'x'));
  CHECK_THAT(open_error(text, HistoryAccess::write), Catch::Contains("it is not a file of SQLite"));
  const std::string other = folder.path() + "/other.sqlite";
  SQLite::Database(other, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE mine (a INTEGER)");
  CHECK_THAT(open_error(other, HistoryAccess::create),
             Catch::Contains("the database of another program"));
  CHECK(SQLite::Database(other).tableExists("mine"));
  CHECK_FALSE(SQLite::Database(other).tableExists("nights"));
  CHECK_THAT(open_error(folder.path() + "/none", HistoryAccess::write),
             Catch::Contains("there is no such file"));
  CHECK_THAT(open_error(folder.path() + "/no/folder", HistoryAccess::create),
             Catch::Contains("cannot open the history"));
}

TEST_CASE("a damaged history is an error of one line, not a result") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/history.sqlite";
  {
    const HistoryDatabase database(file, HistoryAccess::create);
    NightWriter writer(database);
    for (int day = 10; day < 30; ++day) writer.store(some_night("2026-01-" + std::to_string(day)));
    database.sqlite().exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out.seekp(4096);
  out << std::string(60'000, '\xee');
  out.close();
  const std::string line = error_line([&] {
    const HistoryDatabase database(file, HistoryAccess::read);
    listed_nights(database);
    read_series(database, listed_series(database));
  });
  CHECK_THAT(line, Catch::Contains("is damaged"));
}

TEST_CASE("a second writer is told that the history is locked; readers go on") {
  const SomeHistory history;
  NightWriter(history.database).store(some_night("2026-01-10"));
  const WriteTransaction writing(history.database.sqlite());
  const HistoryDatabase reader(history.file, HistoryAccess::read);
  CHECK(history_days(reader).size() == 1);
  const HistoryDatabase second(history.file, HistoryAccess::write, std::chrono::milliseconds(1));
  const std::string line = error_line([&] { NightWriter(second).store(some_night("2026-01-11")); });
  CHECK_THAT(line, Catch::Contains("is locked (another program is writing to it)"));
}

TEST_CASE("a file without content is an empty history, as an interrupted first ingest leaves it") {
  const TemporaryFolder folder;
  const std::string file = folder.write("history.sqlite", "");
  {
    const HistoryDatabase database(file, HistoryAccess::read);
    CHECK(history_days(database).empty());
    CHECK(listed_series(database).empty());
    CHECK(read_notes(database).empty());
  }
  CHECK(std::filesystem::file_size(file) == 0);
  NightWriter(HistoryDatabase(file, HistoryAccess::create));
  CHECK(history_days(HistoryDatabase(file, HistoryAccess::read)).empty());
  CHECK(std::filesystem::file_size(file) > 0);
}

TEST_CASE("a history of a version below 0 is damaged") {
  const SomeHistory history;
  SQLite::Database(history.file, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = -7");
  for (const HistoryAccess access : {HistoryAccess::read, HistoryAccess::write}) {
    CHECK_THAT(open_error(history.file, access), Catch::Contains("is damaged (its version is -7)"));
  }
}

}  // namespace hockney::health
