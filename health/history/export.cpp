#include "health/history/export.hpp"

#include <unordered_map>

#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "health/history/export_lines.hpp"
#include "health/history/night_writer.hpp"
#include "health/history/reading.hpp"
#include "health/history/sqlite_errors.hpp"

namespace hockney::health {

std::int64_t read_day(const JsonNode& node) {
  try {
    return parse_day(node.text());
  } catch (const InputError&) {
    node.reject("is no day", "it is '" + node.text() + "'", "write it like 2026-11-22");
  }
}

std::string write_day(const std::int64_t& day) { return day_text(day); }

std::string read_bytes(const JsonNode& node) {
  if (!node.is_object()) return node.text();
  node.allow_only({"latin1"});
  const std::string letters = node.at("latin1").text();
  std::string bytes;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto first = static_cast<unsigned char>(letters[i]);
    const bool is_long = first >= 0x80U;
    if (is_long && first > 0xC3U) {
      node.at("latin1").reject("has a character beyond U+00FF", "each is one byte",
                               "is the file whole?");
    }
    const auto second = is_long ? static_cast<unsigned char>(letters[++i]) : 0U;
    bytes += static_cast<char>(is_long ? (first & 0x03U) << 6U | (second & 0x3FU) : first);
  }
  return bytes;
}

ExportLine write_bytes(const std::string& bytes) {
  if (is_utf8(bytes)) return bytes;
  std::string letters;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x80U) letters += static_cast<char>(0xC0U | byte >> 6U);
    letters += static_cast<char>(byte >= 0x80U ? 0x80U | (byte & 0x3FU) : byte);
  }
  return {{"latin1", letters}};
}

void read_interval(const JsonNode& line, NightlyValue& value) {
  const auto ends = line.find("ci");
  if (!ends) return;
  const std::vector<double> bounds = ends->numbers();
  if (bounds.size() != 2) ends->reject("has not two ends", "an interval has", "");
  if (bounds[0] > bounds[1]) ends->reject("ends before it begins", "it is [low, high]", "");
  value.interval =
      Interval{.low = bounds[0], .high = bounds[1], .level = line.at("ci_level").number()};
}

void write_interval(const NightlyValue& value, ExportLine& line) {
  if (!value.interval) return;
  line["ci"] = *value.interval;
  line["ci_level"] = value.interval->level;
}

void read_hosts(const JsonNode& line, fleet::NightlyPair& pair) {
  const std::vector<std::string> hosts = line.at("hosts").texts();
  if (hosts.size() != 2) line.at("hosts").reject("are not two", "a pair has two", "");
  pair.a = hosts[0];
  pair.b = hosts[1];
}

void write_hosts(const fleet::NightlyPair& pair, ExportLine& line) { line["hosts"] = {pair.a, pair.b}; }

namespace {

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
    put_all(read_notes(database_));
    put_all(read_acceptances(database_));
    put_all(read_maintenances(database_));
    put_all(kept_numbers(database_));
    put({{"kind", "end"}, {"lines", lines_}});
  }

 private:
  void put(const ExportLine& line) {
    out_ << json_text(line, -1) << '\n';
    ++lines_;
  }

  template <class Value>
  void put_all(const std::vector<Value>& values) {
    for (const Value& value : values) put(value);
  }

  void write_environments() {
    put_all(read_environments(database_));
    SQLite::Statement rows(sqlite_, "SELECT id, digest FROM environments");
    while (rows.executeStep()) {
      digests_[rows.getColumn(0).getInt64()] = rows.getColumn(1).getText();
    }
  }

  void write_series() {
    for (const ListedSeries& series : listed_series(database_)) {
      put(series.kind);
      names_[series.id] = series.kind.name;
    }
  }

  void write_nights() {
    SQLite::Statement nights(sqlite_, "SELECT id, day, campaign FROM nights ORDER BY 2, 3");
    // Who has no more room, or reads no more, is not kept waiting.
    while (out_ && nights.executeStep()) {
      const std::int64_t id = nights.getColumn(0).getInt64();
      Night night{.day = nights.getColumn(1).getInt64(), .campaign = nights.getColumn(2).getText()};
      night.records = stored_records(database_, night.day, night.campaign);
      put(night);
      write_figures(night.day, id);
      write_pairs(night.day, id);
      for (FaultFinding& finding : faults_of(database_, id)) {
        put(FaultLine{.day = night.day, .finding = std::move(finding)});
      }
    }
  }

  void write_figures(std::int64_t day, std::int64_t night) {
    SQLite::Statement rows(sqlite_,
                           "SELECT series, value, low, high, level, launches, environment FROM "
                           "figures JOIN series ON series.id = series WHERE day = ? AND night = ? "
                           "ORDER BY name");
    rows.bind(1, day);
    rows.bind(2, night);
    while (rows.executeStep()) {
      NightFigure figure;
      figure.series.name = names_[rows.getColumn(0).getInt64()];
      figure.value.day = day;
      figure.value.value = rows.getColumn(1).getDouble();
      if (!rows.isColumnNull(2)) {
        figure.value.interval = Interval{.low = rows.getColumn(2).getDouble(),
                                         .high = rows.getColumn(3).getDouble(),
                                         .level = rows.getColumn(4).getDouble()};
      }
      figure.value.launches = static_cast<std::size_t>(rows.getColumn(5).getInt64());
      if (!rows.isColumnNull(6)) {
        figure.value.environment = digests_[rows.getColumn(6).getInt64()];
      }
      put(figure);
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
      PairLine line{.day = day, .pair = {}};
      line.pair.point = rows.getColumn(0).getText();
      line.pair.pair = {.a = rows.getColumn(2).getText(),
                        .b = rows.getColumn(3).getText(),
                        .hop = rows.getColumn(1).getText(),
                        .seconds = rows.getColumn(4).getDouble(),
                        .launches = static_cast<std::size_t>(rows.getColumn(5).getInt64())};
      put(line);
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

}  // namespace hockney::health
