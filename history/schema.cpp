#include "history/schema.hpp"

#include <array>

namespace hockney {
namespace {

/// Values lie by day first: a night is appended at one place of the file, and a few series are read
/// with one search a day.
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

constexpr std::string_view told = R"sql(
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

constexpr std::array migrations{measured, told};

}  // namespace

std::span<const std::string_view> history_migrations() { return migrations; }

}  // namespace hockney
