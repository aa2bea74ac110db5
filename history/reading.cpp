#include "history/reading.hpp"

#include "core/json_node.hpp"
#include "history/translated.hpp"
#include "history/words.hpp"

namespace hockney {
namespace {

std::map<std::string, std::string> facts_of(const std::string& text, const std::string& file) {
  const JsonNode document = parse_json(text, file);
  std::map<std::string, std::string> facts;
  for (const std::string& key : document.keys()) facts[key] = document.at(key).text();
  return facts;
}

}  // namespace

std::vector<ListedNight> listed_nights(const HistoryDatabase& database) {
  return translated(database.file(), [&] {
    SQLite::Statement rows(database.sqlite(),
                           "SELECT day, campaign, (SELECT count(*) FROM records WHERE night = "
                           "nights.id) FROM nights ORDER BY day, campaign");
    std::vector<ListedNight> nights;
    while (rows.executeStep()) {
      nights.push_back({.day = rows.getColumn(0).getInt64(),
                        .campaign = rows.getColumn(1).getText(),
                        .records = static_cast<std::size_t>(rows.getColumn(2).getInt64())});
    }
    return nights;
  });
}

std::vector<std::int64_t> history_days(const HistoryDatabase& database) {
  return translated(database.file(), [&] {
    SQLite::Statement rows(database.sqlite(), "SELECT DISTINCT day FROM nights ORDER BY day");
    std::vector<std::int64_t> days;
    while (rows.executeStep()) days.push_back(rows.getColumn(0).getInt64());
    return days;
  });
}

std::vector<ListedSeries> listed_series(const HistoryDatabase& database) {
  return translated(database.file(), [&] {
    SQLite::Statement rows(database.sqlite(),
                           "SELECT id, name, unit, role, worse FROM series ORDER BY name");
    std::vector<ListedSeries> series;
    while (rows.executeStep()) {
      series.push_back({.id = rows.getColumn(0).getInt64(),
                        .kind = {.name = rows.getColumn(1).getText(),
                                 .unit = rows.getColumn(2).getText(),
                                 .role = role_of(rows.getColumn(3).getText()),
                                 .worse = worse_of(rows.getColumn(4).getText())}});
    }
    return series;
  });
}

std::vector<Environment> read_environments(const HistoryDatabase& database) {
  return translated(database.file(), [&] {
    SQLite::Statement rows(database.sqlite(),
                           "SELECT digest, facts FROM environments ORDER BY digest");
    std::vector<Environment> environments;
    while (rows.executeStep()) {
      environments.push_back({.digest = rows.getColumn(0).getText(),
                              .facts = facts_of(rows.getColumn(1).getText(), database.file())});
    }
    return environments;
  });
}

std::vector<PairsOfPoint> read_pairs(const HistoryDatabase& database, std::int64_t day) {
  return translated(database.file(), [&] {
    SQLite::Statement rows(
        database.sqlite(),
        "SELECT pair_points.name, hop, a.name, b.name, seconds, launches FROM pairs "
        "JOIN pair_points ON pair_points.id = point JOIN hosts a ON a.id = pairs.a "
        "JOIN hosts b ON b.id = pairs.b WHERE day = ? ORDER BY 1, 2, 3, 4");
    rows.bind(1, day);
    std::vector<PairsOfPoint> points;
    while (rows.executeStep()) {
      const std::string point = rows.getColumn(0).getText();
      if (points.empty() || points.back().point != point) points.push_back({.point = point});
      points.back().pairs.push_back(
          {.a = rows.getColumn(2).getText(),
           .b = rows.getColumn(3).getText(),
           .hop = rows.getColumn(1).getText(),
           .seconds = rows.getColumn(4).getDouble(),
           .launches = static_cast<std::size_t>(rows.getColumn(5).getInt64())});
    }
    return points;
  });
}

ReadingMoment::ReadingMoment(const HistoryDatabase& database) : sqlite_(database.sqlite()) {
  translated(database.file(), [&] { sqlite_.exec("BEGIN"); });
}

ReadingMoment::~ReadingMoment() { sqlite_.tryExec("COMMIT"); }

}  // namespace hockney
