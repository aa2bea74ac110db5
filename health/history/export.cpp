#include "health/history/export.hpp"

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/json_values.hpp"
#include "core/time.hpp"
#include "health/history/identities.hpp"
#include "health/history/night.hpp"
#include "health/history/reading.hpp"
#include "health/history/remarks.hpp"
#include "health/history/sqlite_errors.hpp"

namespace hockney {
namespace {

/// Keeps the order of keys, so that every line says first what it is.
using Line = nlohmann::ordered_json;

class Exporter {
 public:
  Exporter(const HistoryDatabase& database, std::ostream& out)
      : database_(database), sqlite_(database.sqlite()), out_(out) {}

  void write() {
    const ReadingMoment moment(database_);
    put({{"kind", "history"}, {"schema", history_schema}});
    write_environments();
    write_series();
    write_nights();
    write_remarks();
    put({{"kind", "end"}, {"lines", lines_}});
  }

 private:
  void put(const Line& line) {
    out_ << json_text(line, -1) << '\n';
    ++lines_;
  }

  void write_environments() {
    for (const Environment& environment : read_environments(database_)) {
      put({{"kind", "environment"}, {"digest", environment.digest}, {"facts", environment.facts}});
    }
    SQLite::Statement rows(sqlite_, "SELECT id, digest FROM environments");
    while (rows.executeStep()) {
      digests_[rows.getColumn(0).getInt64()] = rows.getColumn(1).getText();
    }
  }

  void write_series() {
    for (const ListedSeries& series : listed_series(database_)) {
      put({{"kind", "series"},
           {"series", series.kind.name},
           {"unit", series.kind.unit},
           {"role", word(series.kind.role)},
           {"worse", word(series.kind.worse)}});
      names_[series.id] = series.kind.name;
    }
  }

  void write_nights() {
    SQLite::Statement nights(sqlite_, "SELECT id, day, campaign FROM nights ORDER BY 2, 3");
    // Who has no more room, or reads no more, is not kept waiting.
    while (out_ && nights.executeStep()) {
      const std::int64_t night = nights.getColumn(0).getInt64();
      const std::int64_t day = nights.getColumn(1).getInt64();
      const std::string campaign = nights.getColumn(2).getText();
      Line records = Line::array();
      for (const NightRecord& record : stored(night)) {
        records.push_back({{"digest", record.digest}, {"file", record.file}});
      }
      put({{"kind", "night"},
           {"day", day_text(day)},
           {"campaign", campaign},
           {"records", std::move(records)}});
      write_figures(day, night);
      write_pairs(day, night);
    }
  }

  std::vector<NightRecord> stored(std::int64_t night) {
    SQLite::Statement rows(
        sqlite_, "SELECT digest, file FROM records WHERE night = ? ORDER BY file, digest");
    rows.bind(1, night);
    std::vector<NightRecord> records;
    while (rows.executeStep()) {
      records.push_back(
          {.digest = rows.getColumn(0).getText(), .file = rows.getColumn(1).getText()});
    }
    return records;
  }

  void write_figures(std::int64_t day, std::int64_t night) {
    SQLite::Statement rows(sqlite_,
                           "SELECT series, value, low, high, level, launches, environment FROM "
                           "figures JOIN series ON series.id = series WHERE day = ? AND night = ? "
                           "ORDER BY name");
    rows.bind(1, day);
    rows.bind(2, night);
    while (rows.executeStep()) {
      Line line{{"kind", "figure"},
                {"day", day_text(day)},
                {"series", names_[rows.getColumn(0).getInt64()]},
                {"value", rows.getColumn(1).getDouble()}};
      if (!rows.isColumnNull(2)) {
        line["ci"] = {rows.getColumn(2).getDouble(), rows.getColumn(3).getDouble()};
        line["ci_level"] = rows.getColumn(4).getDouble();
      }
      line["launches"] = rows.getColumn(5).getInt64();
      if (!rows.isColumnNull(6)) line["environment"] = digests_[rows.getColumn(6).getInt64()];
      put(line);
    }
  }

  void write_pairs(std::int64_t day, std::int64_t night) {
    SQLite::Statement rows(
        sqlite_,
        "SELECT pair_points.name, hop, a.name, b.name, seconds, launches FROM pairs "
        "JOIN pair_points ON pair_points.id = point JOIN hosts a ON a.id = pairs.a "
        "JOIN hosts b ON b.id = pairs.b WHERE day = ? AND night = ? ORDER BY 1, 2, 3, 4");
    rows.bind(1, day);
    rows.bind(2, night);
    while (rows.executeStep()) {
      put({{"kind", "pair"},
           {"day", day_text(day)},
           {"point", rows.getColumn(0).getText()},
           {"hop", rows.getColumn(1).getText()},
           {"hosts", {rows.getColumn(2).getText(), rows.getColumn(3).getText()}},
           {"seconds", rows.getColumn(4).getDouble()},
           {"launches", rows.getColumn(5).getInt64()}});
    }
  }

  void write_remarks() {
    for (const HistoryNote& note : read_notes(database_)) {
      put({{"kind", "note"}, {"day", day_text(note.day)}, {"text", note.text}});
    }
    for (const HistoryAcceptance& accepted : read_acceptances(database_)) {
      put({{"kind", "accepted"},
           {"day", day_text(accepted.day)},
           {"series", accepted.series},
           {"why", accepted.why}});
    }
    for (const HistoryMaintenance& maintenance : read_maintenances(database_)) {
      put({{"kind", "maintenance"},
           {"from", day_text(maintenance.first_day)},
           {"to", day_text(maintenance.last_day)},
           {"why", maintenance.why}});
    }
    for (const KeptNumber& number : kept_numbers(database_)) {
      put({{"kind", "kept"}, {"name", number.name}, {"value", number.value}});
    }
  }

  const HistoryDatabase& database_;
  SQLite::Database& sqlite_;
  std::ostream& out_;
  std::size_t lines_ = 0;
  std::unordered_map<std::int64_t, std::string> names_;
  std::unordered_map<std::int64_t, std::string> digests_;
};

}  // namespace

void export_history(const HistoryDatabase& database, std::ostream& out) {
  translated(database.file(), [&] { Exporter(database, out).write(); });
}

}  // namespace hockney
