#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "health/history/database.hpp"
#include "health/history/identities.hpp"
#include "health/history/night.hpp"

namespace hockney::health {

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
