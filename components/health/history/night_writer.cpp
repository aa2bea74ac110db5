#include "components/health/history/night_writer.hpp"

#include <sqlite3.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "components/health/history/database.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney::health {

void rethrow(const SQLite::Exception& error, const std::string& file) {
  switch (error.getErrorCode()) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw RunError({fmt::format("the history '{}' is locked", file),
                      "another program is writing to it",
                      "repeat when it is done, or give more --wait"});
    case SQLITE_NOTADB:
      throw InputError({fmt::format("'{}' is no history", file), "it is not a file of SQLite",
                        "check the name"});
    case SQLITE_CORRUPT:
      throw InputError({fmt::format("the history '{}' is damaged", file), error.what(),
                        "take a copy of the file, or ingest the records again"});
    case SQLITE_CANTOPEN:
      throw InputError({fmt::format("cannot open the history '{}'", file), error.what(),
                        "check the name and the permissions of the folder"});
    case SQLITE_READONLY:
      throw InputError({fmt::format("the history '{}' cannot be written", file), error.what(),
                        "check the permissions of file and folder"});
    default:
      throw RunError({fmt::format("the history '{}' failed", file), error.what(),
                      "check the disk and its free space"});
  }
}

namespace {

/// The id found by a search, if any. Without a reset the statement would keep reading.
std::optional<std::int64_t> found_id(SQLite::Statement& find) {
  std::optional<std::int64_t> id;
  if (find.executeStep()) id = find.getColumn(0).getInt64();
  find.tryReset();
  return id;
}

std::string described(const SeriesKind& kind) {
  return fmt::format("{}, {}, worse when {}", kind.unit, word(kind.role), word(kind.worse));
}

void require_equal(const SeriesKind& there, const SeriesKind& given) {
  if (there == given) return;
  throw InputError({fmt::format("the series '{}' is another one in the history", given.name),
                    fmt::format("there it is {}; here {}", described(there), described(given)),
                    "ingest these records into a history of their own"});
}

/// The id of a campaign's night; nullopt if the history has none.
std::optional<std::int64_t> night_id(SQLite::Database& database, std::int64_t day,
                                     const std::string& campaign) {
  const auto ids = rows_of(
      database, "SELECT id FROM nights WHERE day = ? AND campaign = ?",
      [](auto& row) { return row.getColumn(0).getInt64(); }, day, campaign);
  return ids.empty() ? std::nullopt : std::optional(ids.front());
}

void require_value(const std::string& name, double value, std::int64_t day) {
  if (std::isfinite(value) && value > 0) return;
  throw InputError({fmt::format("'{}' has no value on {}", name, day_text(day)),
                    fmt::format("{:f} is not finite and above 0", value), "leave it out"});
}

void bind_interval(SQLite::Statement& row, int first, const std::optional<Interval>& interval) {
  if (!interval) {
    for (int column = first; column < first + 3; ++column) row.bind(column);
    return;
  }
  row.bind(first, interval->low);
  row.bind(first + 1, interval->high);
  row.bind(first + 2, interval->level);
}

std::set<std::string> digests_of(const std::vector<NightRecord>& records) {
  std::set<std::string> digests;
  for (const NightRecord& record : records) digests.insert(record.digest);
  return digests;
}

std::vector<NightRecord> records_of(SQLite::Database& database, std::int64_t day,
                                    const std::string& campaign) {
  return rows_of(
      database,
      "SELECT digest, file FROM records JOIN nights ON nights.id = night "
      "WHERE day = ? AND campaign = ? ORDER BY file, digest",
      [](auto& row) {
        return NightRecord{.digest = row.getColumn(0).getText(),
                           .file = row.getColumn(1).getText()};
      },
      day, campaign);
}

void remove_values(SQLite::Database& database, std::int64_t day, std::int64_t night) {
  execute(database, "DELETE FROM figures WHERE day = ? AND night = ?", day, night);
  execute(database, "DELETE FROM pairs WHERE day = ? AND night = ?", day, night);
  execute(database, "DELETE FROM records WHERE night = ?", night);
  execute(database, "DELETE FROM faults WHERE night = ?", night);
  execute(database, "DELETE FROM absences WHERE night = ?", night);
}

/// Removes names without uses. Series are searched night by night, because values have no index by
/// series.
constexpr const char* sweep = R"sql(
DELETE FROM series WHERE NOT EXISTS (
  SELECT 1 FROM (SELECT DISTINCT day FROM nights) AS of
  JOIN figures ON figures.day = of.day AND figures.series = series.id);
DELETE FROM environments WHERE id NOT IN (
  SELECT environment FROM figures WHERE environment IS NOT NULL);
DELETE FROM pair_points WHERE id NOT IN (SELECT point FROM pairs);
DELETE FROM hosts WHERE id NOT IN (SELECT a FROM pairs UNION SELECT b FROM pairs);
)sql";

/// InputError for a duplicate that PRIMARY KEY forbids.
[[noreturn]] void reject_collision(const Night& night) {
  throw InputError(
      {"two values of one series on " + day_text(night.day),
       fmt::format("the history has one a night of each campaign '{}'", night.campaign),
       "give campaigns names of their own, or another --day"});
}

}  // namespace

void keep_number(const HistoryDatabase& database, const KeptNumber& number) {
  execute(database,
          "INSERT INTO kept (name, value) VALUES (?, ?) "
          "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
          number.name, number.value);
}

std::optional<double> kept_number(const HistoryDatabase& database, const std::string& name) {
  const auto values = rows_of(
      database, "SELECT value FROM kept WHERE name = ?",
      [](auto& row) { return row.getColumn(0).getDouble(); }, name);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

Identities::Named::Named(SQLite::Database& database, const std::string& table)
    : find(database, fmt::format("SELECT id FROM {} WHERE name = ?", table)),
      insert(database, fmt::format("INSERT INTO {} (name) VALUES (?)", table)) {}

std::int64_t Identities::Named::operator()(SQLite::Database& database, const std::string& name) {
  const auto [place, is_new] = known.try_emplace(name, 0);
  if (!is_new) return place->second;
  find.bind(1, name);
  if (const auto id = found_id(find)) return place->second = *id;
  insert.tryReset();
  insert.bind(1, name);
  insert.exec();
  return place->second = database.getLastInsertRowid();
}

Identities::Identities(SQLite::Database& database)
    : database_(database),
      find_series_(database, "SELECT id, unit, role, worse FROM series WHERE name = ?"),
      insert_series_(database, "INSERT INTO series (name, unit, role, worse) VALUES (?, ?, ?, ?)"),
      find_environment_(database, "SELECT id FROM environments WHERE digest = ?"),
      insert_environment_(database, "INSERT INTO environments (digest, facts) VALUES (?, ?)"),
      hosts_(database, "hosts"),
      points_(database, "pair_points") {}

std::int64_t Identities::series(const SeriesKind& kind) {
  const auto [place, is_new] = series_.try_emplace(kind.name);
  KnownSeries& known = place->second;
  if (is_new) known = find_or_insert(kind);
  require_equal(known.kind, kind);
  return known.id;
}

Identities::KnownSeries Identities::find_or_insert(const SeriesKind& kind) {
  find_series_.tryReset();
  find_series_.bind(1, kind.name);
  if (find_series_.executeStep()) {
    KnownSeries found{.kind = SeriesKind{.name = kind.name,
                                         .unit = find_series_.getColumn(1).getText(),
                                         .role = role_of(find_series_.getColumn(2).getText()),
                                         .worse = worse_of(find_series_.getColumn(3).getText())},
                      .id = find_series_.getColumn(0).getInt64()};
    find_series_.tryReset();
    return found;
  }
  insert_series_.tryReset();
  insert_series_.bind(1, kind.name);
  insert_series_.bind(2, kind.unit);
  insert_series_.bind(3, std::string(word(kind.role)));
  insert_series_.bind(4, std::string(word(kind.worse)));
  insert_series_.exec();
  return {.kind = kind, .id = database_.getLastInsertRowid()};
}

std::int64_t Identities::environment(const Environment& environment) {
  if (const auto known = this->environment(environment.digest)) return *known;
  insert_environment_.tryReset();
  insert_environment_.bind(1, environment.digest);
  insert_environment_.bind(2, nlohmann::json(environment.facts).dump());
  insert_environment_.exec();
  return environments_[environment.digest] = database_.getLastInsertRowid();
}

std::optional<std::int64_t> Identities::environment(const std::string& digest) {
  if (digest.empty()) return std::nullopt;
  if (const auto known = environments_.find(digest); known != environments_.end()) {
    return known->second;
  }
  find_environment_.bind(1, digest);
  const auto id = found_id(find_environment_);
  if (id) environments_[digest] = *id;
  return id;
}

std::int64_t Identities::host(const std::string& name) { return hosts_(database_, name); }

std::int64_t Identities::pair_point(const std::string& name) { return points_(database_, name); }

std::int64_t Identities::night(std::int64_t day, const std::string& campaign) {
  execute(database_, "INSERT OR IGNORE INTO nights (day, campaign) VALUES (?, ?)", day, campaign);
  return *night_id(database_, day, campaign);
}

void Identities::forget() {
  series_.clear();
  environments_.clear();
  hosts_.known.clear();
  points_.known.clear();
}

FigureInserts::FigureInserts(SQLite::Database& database, Identities& identities)
    : identities_(identities),
      record_(database, "INSERT INTO records (digest, night, file) VALUES (?, ?, ?)"),
      figure_(database,
              "INSERT INTO figures (day, series, night, value, low, high, level, launches, "
              "environment, half_digit) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      pair_(database,
            "INSERT INTO pairs (day, point, hop, a, b, night, seconds, launches) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      fault_(database,
             "INSERT INTO faults (night, fault, points, launches, of_launches, first, detail) "
             "VALUES (?, ?, ?, ?, ?, ?, ?)"),
      absence_(database, "INSERT INTO absences (night, series, reason) VALUES (?, ?, ?)") {}

void FigureInserts::record(std::int64_t night, const NightRecord& record) {
  record_.tryReset();
  record_.bind(1, record.digest);
  record_.bind(2, night);
  record_.bind(3, record.file);
  record_.exec();
}

void FigureInserts::figure(std::int64_t night, const NightFigure& figure) {
  const NightlyValue& value = figure.value;
  require_value(figure.series.name, value.value, value.day);
  const auto environment = identities_.environment(value.environment);
  figure_.tryReset();
  figure_.bind(1, value.day);
  figure_.bind(2, identities_.series(figure.series));
  figure_.bind(3, night);
  figure_.bind(4, value.value);
  bind_interval(figure_, 5, value.interval);
  figure_.bind(8, static_cast<std::int64_t>(value.launches));
  environment ? figure_.bind(9, *environment) : figure_.bind(9);
  value.half_digit ? figure_.bind(10, *value.half_digit) : figure_.bind(10);
  figure_.exec();
}

void FigureInserts::pair(std::int64_t night, std::int64_t day, const fleet::NightPair& pair) {
  require_value(pair.point, pair.pair.seconds, day);
  pair_.tryReset();
  pair_.bind(1, day);
  pair_.bind(2, identities_.pair_point(pair.point));
  pair_.bind(3, pair.pair.hop);
  pair_.bind(4, identities_.host(pair.pair.a));
  pair_.bind(5, identities_.host(pair.pair.b));
  pair_.bind(6, night);
  pair_.bind(7, pair.pair.seconds);
  pair_.bind(8, static_cast<std::int64_t>(pair.pair.launches));
  pair_.exec();
}

void FigureInserts::fault(std::int64_t night, const FaultFinding& finding) {
  fault_.tryReset();
  fault_.bind(1, night);
  fault_.bind(2, std::string(word(finding.fault)));
  fault_.bind(3, static_cast<std::int64_t>(finding.points));
  fault_.bind(4, static_cast<std::int64_t>(finding.launches));
  fault_.bind(5, static_cast<std::int64_t>(finding.of_launches));
  fault_.bind(6, finding.first);
  fault_.bind(7, finding.detail);
  fault_.exec();
}

void FigureInserts::absence(std::int64_t night, const Absence& absence) {
  absence_.tryReset();
  absence_.bind(1, night);
  absence_.bind(2, absence.series);
  absence_.bind(3, absence.reason);
  absence_.exec();
}

class NightWriter::Statements {
 public:
  explicit Statements(SQLite::Database& database)
      : database_(database), identities_(database), inserts_(database, identities_) {}

  Stored store(const std::function<std::optional<Night>()>& make) {
    WriteTransaction transaction(database_);
    const std::optional<Night> night = make();
    if (!night) return Stored::unchanged;
    const std::set<std::string> there =
        digests_of(records_of(database_, night->day, night->campaign));
    const std::set<std::string> given = digests_of(night->records);
    if (!given.empty() && there == given) return Stored::unchanged;
    if (!std::ranges::includes(given, there)) {
      throw RunError({fmt::format("the night {} has changed meanwhile", day_text(night->day)),
                      "another program ingested records of it", "repeat"});
    }
    try {
      insert(*night);
      transaction.commit();
    } catch (const SQLite::Exception& error) {
      identities_.forget();
      if (error.getErrorCode() == SQLITE_CONSTRAINT) reject_collision(*night);
      throw;
    } catch (...) {
      identities_.forget();
      throw;
    }
    return there.empty() ? Stored::added : Stored::replaced;
  }

 private:
  void insert(const Night& night) {
    const std::int64_t id = identities_.night(night.day, night.campaign);
    remove_values(database_, night.day, id);
    for (const Environment& environment : night.environments) identities_.environment(environment);
    for (const NightRecord& record : night.records) inserts_.record(id, record);
    for (const NightFigure& figure : night.figures) inserts_.figure(id, figure);
    for (const fleet::NightPair& pair : night.pairs) inserts_.pair(id, night.day, pair);
    for (const FaultFinding& finding : night.faults) inserts_.fault(id, finding);
    for (const Absence& absence : night.absences) inserts_.absence(id, absence);
  }

  SQLite::Database& database_;
  Identities identities_;
  FigureInserts inserts_;
};

NightWriter::NightWriter(const HistoryDatabase& database) : file_(database.file()) {
  translated(file_, [&] { statements_ = std::make_unique<Statements>(database.sqlite()); });
}

NightWriter::NightWriter(NightWriter&&) noexcept = default;
NightWriter& NightWriter::operator=(NightWriter&&) noexcept = default;
NightWriter::~NightWriter() = default;

Stored NightWriter::store(const std::function<std::optional<Night>()>& make) {
  return translated(file_, [&] { return statements_->store(make); });
}

Stored NightWriter::store(const Night& night) {
  return store([&] { return std::optional(night); });
}

std::vector<NightContent> nights_of_day(const HistoryDatabase& database, std::int64_t day) {
  return rows_of(
      database,
      "SELECT campaign, (SELECT count(*) FROM records WHERE night = id), "
      "(SELECT count(*) FROM figures WHERE day = ?1 AND night = id), "
      "(SELECT count(*) FROM pairs WHERE day = ?1 AND night = id) "
      "FROM nights WHERE day = ?1 ORDER BY campaign",
      [](auto& row) {
        return NightContent{.campaign = row.getColumn(0).getString(),
                            .records = static_cast<std::size_t>(row.getColumn(1).getInt64()),
                            .figures = static_cast<std::size_t>(row.getColumn(2).getInt64()),
                            .pairs = static_cast<std::size_t>(row.getColumn(3).getInt64())};
      },
      day);
}

void forget_nights(const HistoryDatabase& database, std::int64_t day,
                   const std::vector<std::string>& campaigns) {
  translated(database.file(), [&] {
    SQLite::Database& sqlite = database.sqlite();
    // SQLite would search all values for each removed name; the sweep has found none.
    sqlite.exec("PRAGMA foreign_keys = OFF");
    WriteTransaction transaction(sqlite);
    for (const std::string& campaign : campaigns) {
      const auto night = night_id(sqlite, day, campaign);
      if (!night) continue;
      remove_values(sqlite, day, *night);
      execute(sqlite, "DELETE FROM nights WHERE id = ?", *night);
    }
    sqlite.exec(sweep);
    transaction.commit();
    sqlite.exec("PRAGMA foreign_keys = ON");
  });
}

std::vector<NightRecord> stored_records(const HistoryDatabase& database, std::int64_t day,
                                        const std::string& campaign) {
  return translated(database.file(), [&] { return records_of(database.sqlite(), day, campaign); });
}

std::optional<NightPlace> night_of_record(const HistoryDatabase& database,
                                          const std::string& digest) {
  const auto places = rows_of(
      database,
      "SELECT day, campaign FROM records JOIN nights ON nights.id = night WHERE digest = ?",
      [](auto& row) {
        return NightPlace{.day = row.getColumn(0).getInt64(),
                          .campaign = row.getColumn(1).getText()};
      },
      digest);
  return places.empty() ? std::nullopt : std::optional(places.front());
}

}  // namespace hockney::health
