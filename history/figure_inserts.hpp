#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include "history/identities.hpp"
#include "history/night.hpp"

namespace hockney {

/// The prepared statements that put the rows of a night into their tables. A row whose place is
/// taken is SQLITE_CONSTRAINT, after which the statements work on.
class FigureInserts {
 public:
  FigureInserts(SQLite::Database& database, Identities& identities);

  void record(std::int64_t night, const NightRecord& record);
  /// InputError for a value or an end of its interval that is not finite, or a value not above 0.
  void figure(std::int64_t night, const NightFigure& figure);
  void pair(std::int64_t night, std::int64_t day, const NightPair& pair);

 private:
  Identities& identities_;
  SQLite::Statement record_;
  SQLite::Statement figure_;
  SQLite::Statement pair_;
};

}  // namespace hockney
