#include "health/history/night_writer.hpp"

#include <sqlite3.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/time.hpp"
#include "health/history/identities.hpp"
#include "health/history/statements.hpp"

namespace hockney::health {
namespace {

void require_value(const std::string& name, double value, std::int64_t day) {
  if (std::isfinite(value) && value > 0) return;
  throw InputError({"'" + name + "' has no value on " + day_text(day),
                    std::to_string(value) + " is not finite and above 0", "leave it out"});
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
}

/// Names that nothing has any more. A series is looked for night by night: values have no index by
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

/// InputError for what PRIMARY KEY forbids.
[[noreturn]] void reject_collision(const Night& night) {
  throw InputError({"two values of one series on " + day_text(night.day),
                    "the history has one a night of each campaign '" + night.campaign + "'",
                    "give campaigns names of their own, or another --day"});
}

}  // namespace

FigureInserts::FigureInserts(SQLite::Database& database, Identities& identities)
    : identities_(identities),
      record_(database, "INSERT INTO records (digest, night, file) VALUES (?, ?, ?)"),
      figure_(database,
              "INSERT INTO figures (day, series, night, value, low, high, level, launches, "
              "environment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      pair_(database,
            "INSERT INTO pairs (day, point, hop, a, b, night, seconds, launches) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      fault_(database,
             "INSERT INTO faults (night, fault, points, launches, of_launches, first, detail) "
             "VALUES (?, ?, ?, ?, ?, ?, ?)") {}

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
      throw RunError({"the night " + day_text(night->day) + " has changed meanwhile",
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
    // SQLite would search all values for each name that is removed; the sweep has found none.
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
