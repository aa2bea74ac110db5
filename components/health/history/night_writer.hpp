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

#include "components/health/history/database.hpp"

namespace hockney::health {

/// Throws the InputError or RunError for an error of SQLite about `file`.
[[noreturn]] void rethrow(const SQLite::Exception& error, const std::string& file);

/// Returns the result of `work`; errors of SQLite become hockney's.
template <class Work>
auto translated(const std::string& file, Work work) {
  try {
    return work();
  } catch (const SQLite::Exception& error) {
    rethrow(error, file);
  }
}

/// A transaction that begins as a writer: it waits for another writer here, never later. Undone
/// unless committed.
class WriteTransaction {
 public:
  explicit WriteTransaction(SQLite::Database& database)
      : transaction_(database, SQLite::TransactionBehavior::IMMEDIATE) {}
  void commit() { transaction_.commit(); }

 private:
  SQLite::Transaction transaction_;
};

/// Executes one statement with `values` as its parameters.
template <class... Values>
void execute(SQLite::Database& database, const char* sql, const Values&... values) {
  SQLite::Statement statement(database, sql);
  [[maybe_unused]] int place = 0;
  (statement.bind(++place, values), ...);
  statement.exec();
}

/// The results of `read` for each row of a query with `values`, in their order.
template <class Read, class... Values>
auto rows_of(SQLite::Database& database, const char* sql, Read read, const Values&... values) {
  SQLite::Statement row(database, sql);
  [[maybe_unused]] int place = 0;
  (row.bind(++place, values), ...);
  std::vector<std::invoke_result_t<Read, SQLite::Statement&>> rows;
  while (row.executeStep()) rows.push_back(read(row));
  return rows;
}

/// The same for a history; errors of SQLite become hockney's.
template <class... Values>
void execute(const HistoryDatabase& database, const char* sql, const Values&... values) {
  translated(database.file(), [&] { execute(database.sqlite(), sql, values...); });
}

template <class Read, class... Values>
auto rows_of(const HistoryDatabase& database, const char* sql, Read read, const Values&... values) {
  return translated(database.file(),
                    [&] { return rows_of(database.sqlite(), sql, read, values...); });
}

/// A number stored for later commands, such as the threshold found by `calibrate`.
struct KeptNumber {
  std::string name;
  double value = 0;

  friend bool operator==(const KeptNumber&, const KeptNumber&) = default;
};

inline constexpr const char* threshold_name = "detector.threshold";

/// Stores a number; replaces an earlier one of its name.
void keep_number(const HistoryDatabase& database, const KeptNumber& number);
std::optional<double> kept_number(const HistoryDatabase& database, const std::string& name);

/// Ids of names in a history; a new name gets a new id. Ids are cached, so that each name is looked
/// up once for all written nights.
class Identities {
 public:
  explicit Identities(SQLite::Database& database);

  /// InputError if the history has the series with another unit, role or direction.
  std::int64_t series(const SeriesKind& kind);
  std::int64_t environment(const Environment& environment);
  /// For an Environment given before; nullopt for an empty digest.
  std::optional<std::int64_t> environment(const std::string& digest);
  std::int64_t host(const std::string& name);
  std::int64_t pair_point(const std::string& name);
  std::int64_t night(std::int64_t day, const std::string& campaign);

  /// Clears the cache. Call it after a rollback, which makes new ids invalid.
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

/// Prepared statements that insert the rows of a night. A duplicate row gives SQLITE_CONSTRAINT,
/// after which the statements remain usable.
class FigureInserts {
 public:
  FigureInserts(SQLite::Database& database, Identities& identities);

  void record(std::int64_t night, const NightRecord& record);
  /// InputError for a value or an end of its interval that is not finite, or a value not above 0.
  void figure(std::int64_t night, const NightFigure& figure);
  void pair(std::int64_t night, std::int64_t day, const fleet::NightPair& pair);
  void fault(std::int64_t night, const FaultFinding& finding);
  void absence(std::int64_t night, const Absence& absence);

 private:
  Identities& identities_;
  SQLite::Statement record_;
  SQLite::Statement figure_;
  SQLite::Statement pair_;
  SQLite::Statement fault_;
  SQLite::Statement absence_;
};

/// Result of storing a night.
enum class Stored { added, replaced, unchanged };

/// Writes nights into a history opened for writing; keeps prepared statements between nights.
class NightWriter {
 public:
  explicit NightWriter(const HistoryDatabase& database);
  NightWriter(const NightWriter&) = delete;
  NightWriter& operator=(const NightWriter&) = delete;
  NightWriter(NightWriter&&) noexcept;
  NightWriter& operator=(NightWriter&&) noexcept;
  ~NightWriter();

  /// Stores the result of `make`; returns `unchanged` if that is nullopt. No other program writes
  /// to the history from the call of `make` until the night is stored.
  Stored store(const std::function<std::optional<Night>()>& make);

  /// Stores the night in one transaction. If all records of a stored night of that day and campaign
  /// are in `night`, it is replaced. With equal records nothing changes. InputError if the history
  /// has a series with another unit, role or direction, or with a value of another campaign that
  /// day. RunError if the stored night has records that `night` lacks.
  Stored store(const Night& night);

 private:
  class Statements;
  std::string file_;
  std::unique_ptr<Statements> statements_;
};

/// Contents of one campaign's night in the history.
struct NightContent {
  std::string campaign;
  std::size_t records = 0;
  std::size_t figures = 0;
  std::size_t pairs = 0;
};

/// The nights of a day, by campaign.
std::vector<NightContent> nights_of_day(const HistoryDatabase& database, std::int64_t day);

/// Removes the nights of these campaigns, and series, environments and hosts without other nights.
/// One transaction: if killed, nothing is removed. The records can be ingested again.
void forget_nights(const HistoryDatabase& database, std::int64_t day,
                   const std::vector<std::string>& campaigns);

/// The records of a night in the history; empty without that night.
std::vector<NightRecord> stored_records(const HistoryDatabase& database, std::int64_t day,
                                        const std::string& campaign);

/// The night of a record.
struct NightPlace {
  std::int64_t day = 0;
  std::string campaign;
};

std::optional<NightPlace> night_of_record(const HistoryDatabase& database,
                                          const std::string& digest);

}  // namespace hockney::health
