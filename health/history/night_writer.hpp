#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "health/history/database.hpp"

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

/// A number that a command leaves for later ones, such as the threshold that `calibrate` found.
struct KeptNumber {
  std::string name;
  double value = 0;

  friend bool operator==(const KeptNumber&, const KeptNumber&) = default;
};

inline constexpr const char* threshold_name = "detector.threshold";

/// Takes the place of an earlier one of its name.
void keep_number(const HistoryDatabase& database, const KeptNumber& number);
std::optional<double> kept_number(const HistoryDatabase& database, const std::string& name);
/// By name.
std::vector<KeptNumber> kept_numbers(const HistoryDatabase& database);

/// The number of the night of a campaign; nullopt when the history has none.
std::optional<std::int64_t> night_id(SQLite::Database& database, std::int64_t day,
                                     const std::string& campaign);

/// The numbers that stand for names in a history; a name that is new gets one. They are remembered,
/// so that a name is looked up once for all nights that are written.
class Identities {
 public:
  explicit Identities(SQLite::Database& database);

  /// InputError when the series is there with another unit, role or direction.
  std::int64_t series(const SeriesKind& kind);
  std::int64_t environment(const Environment& environment);
  /// Of one that was given as an Environment before; nullopt for an empty digest.
  std::optional<std::int64_t> environment(const std::string& digest);
  std::int64_t host(const std::string& name);
  std::int64_t pair_point(const std::string& name);
  std::int64_t night(std::int64_t day, const std::string& campaign);

  /// To be called when a transaction was undone: numbers given in it stand for nothing.
  void forget();

 private:
  struct Named {
    Named(SQLite::Database& database, const std::string& table);
    std::int64_t operator()(SQLite::Database& database, const std::string& name);
    SQLite::Statement find;
    SQLite::Statement insert;
    std::unordered_map<std::string, std::int64_t> known;
  };

  struct KnownSeries {
    SeriesKind kind;
    std::int64_t id = 0;
  };
  KnownSeries find_or_insert(const SeriesKind& kind);

  SQLite::Database& database_;
  SQLite::Statement find_series_;
  SQLite::Statement insert_series_;
  SQLite::Statement find_environment_;
  SQLite::Statement insert_environment_;
  Named hosts_;
  Named points_;
  std::unordered_map<std::string, KnownSeries> series_;
  std::unordered_map<std::string, std::int64_t> environments_;
};

/// The prepared statements that put the rows of a night into their tables. A row whose place is
/// taken is SQLITE_CONSTRAINT, after which the statements work on.
class FigureInserts {
 public:
  FigureInserts(SQLite::Database& database, Identities& identities);

  void record(std::int64_t night, const NightRecord& record);
  /// InputError for a value or an end of its interval that is not finite, or a value not above 0.
  void figure(std::int64_t night, const NightFigure& figure);
  void pair(std::int64_t night, std::int64_t day, const fleet::NightPair& pair);
  void fault(std::int64_t night, const FaultFinding& finding);

 private:
  Identities& identities_;
  SQLite::Statement record_;
  SQLite::Statement figure_;
  SQLite::Statement pair_;
  SQLite::Statement fault_;
};

/// What became of a night that was to be stored.
enum class Stored { added, replaced, unchanged };

/// Puts nights into a history that is open for writing; keeps its prepared statements from night to
/// night.
class NightWriter {
 public:
  explicit NightWriter(const HistoryDatabase& database);
  NightWriter(const NightWriter&) = delete;
  NightWriter& operator=(const NightWriter&) = delete;
  NightWriter(NightWriter&&) noexcept;
  NightWriter& operator=(NightWriter&&) noexcept;
  ~NightWriter();

  /// Stores what `make` returns. The history that it reads stays as it is until the night is
  /// stored: no other program writes meanwhile. `unchanged` where it returns nullopt.
  Stored store(const std::function<std::optional<Night>()>& make);

  /// The whole night or nothing of it, in one transaction. A night of the same day and campaign is
  /// replaced when it was made of some of the same records, and stays when of all of them.
  /// InputError when a series is there with another unit, role or direction, or has a value of
  /// another campaign that day; RunError when the night there holds records that this one lacks.
  Stored store(const Night& night);

 private:
  class Statements;
  std::string file_;
  std::unique_ptr<Statements> statements_;
};

/// What a night of one campaign has in the history.
struct NightContent {
  std::string campaign;
  std::size_t records = 0;
  std::size_t figures = 0;
  std::size_t pairs = 0;
};

/// The nights of a day, by campaign.
std::vector<NightContent> nights_of_day(const HistoryDatabase& database, std::int64_t day);

/// Takes the nights of these campaigns out of the history again, with the series, environments and
/// hosts that no other night has: all of it or, when killed, nothing. Their records can be ingested
/// again.
void forget_nights(const HistoryDatabase& database, std::int64_t day,
                   const std::vector<std::string>& campaigns);

/// The records that the night in the history was made of; empty when there is none.
std::vector<NightRecord> stored_records(const HistoryDatabase& database, std::int64_t day,
                                        const std::string& campaign);

/// The night that a record is in.
struct NightPlace {
  std::int64_t day = 0;
  std::string campaign;
};

std::optional<NightPlace> night_of_record(const HistoryDatabase& database,
                                          const std::string& digest);

}  // namespace hockney::health
