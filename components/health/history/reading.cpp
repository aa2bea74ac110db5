#include "components/health/history/reading.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "components/health/history/database.hpp"
#include "components/health/history/night_writer.hpp"
#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::health {

std::vector<FactChange> changed_facts(const Environment& before, const Environment& after) {
  std::set<std::string> names;
  for (const auto& [name, value] : before.facts) names.insert(name);
  for (const auto& [name, value] : after.facts) names.insert(name);
  const auto value_of = [](const Environment& environment, const std::string& name) {
    const auto fact = environment.facts.find(name);
    return fact == environment.facts.end() ? std::string() : fact->second;
  };
  std::vector<FactChange> changes;
  for (const std::string& name : names) {
    FactChange change{
        .fact = name, .before = value_of(before, name), .after = value_of(after, name)};
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  return changes;
}

void add_note(const HistoryDatabase& database, const Note& note) {
  execute(database,
          "INSERT INTO notes (day, text) SELECT ?1, ?2 WHERE NOT EXISTS "
          "(SELECT 1 FROM notes WHERE day = ?1 AND text = ?2)",
          note.day, note.text);
}

void add_acceptance(const HistoryDatabase& database, const Acceptance& acceptance) {
  execute(database,
          "INSERT INTO accepted (day, series, why) VALUES (?, ?, ?) "
          "ON CONFLICT (day, series) DO UPDATE SET why = excluded.why",
          acceptance.day, acceptance.series, acceptance.why);
}

void add_maintenance(const HistoryDatabase& database, const Maintenance& maintenance) {
  if (maintenance.last_day < maintenance.first_day) {
    throw InputError({"maintenance ends before it begins",
                      fmt::format("{} is before {}", day_text(maintenance.last_day),
                                  day_text(maintenance.first_day)),
                      "exchange the days"});
  }
  execute(database,
          "INSERT INTO maintenance (first_day, last_day, why) VALUES (?, ?, ?) "
          "ON CONFLICT (first_day, last_day) DO UPDATE SET why = excluded.why",
          maintenance.first_day, maintenance.last_day, maintenance.why);
}

std::vector<Note> read_notes(const HistoryDatabase& database) {
  return rows_of(database, "SELECT day, text FROM notes ORDER BY day, id", [](auto& row) {
    return Note{.day = row.getColumn(0).getInt64(), .text = row.getColumn(1).getText()};
  });
}

std::vector<Acceptance> read_acceptances(const HistoryDatabase& database) {
  return rows_of(database, "SELECT day, series, why FROM accepted ORDER BY day, series",
                 [](auto& row) {
                   return Acceptance{.day = row.getColumn(0).getInt64(),
                                     .series = row.getColumn(1).getText(),
                                     .why = row.getColumn(2).getText()};
                 });
}

std::vector<Maintenance> read_maintenances(const HistoryDatabase& database) {
  return rows_of(database,
                 "SELECT first_day, last_day, why FROM maintenance ORDER BY first_day, last_day",
                 [](auto& row) {
                   return Maintenance{.first_day = row.getColumn(0).getInt64(),
                                      .last_day = row.getColumn(1).getInt64(),
                                      .why = row.getColumn(2).getText()};
                 });
}

namespace {

std::int64_t first_number(SQLite::Statement& row) { return row.getColumn(0).getInt64(); }

std::map<std::string, std::string> facts_of(const std::string& text, const std::string& file) {
  return parse_json(text, file).text_members();
}

using Digests = std::unordered_map<std::int64_t, std::string>;

Digests environment_digests(SQLite::Database& database) {
  SQLite::Statement rows(database, "SELECT id, digest FROM environments");
  Digests digests;
  while (rows.executeStep()) digests[rows.getColumn(0).getInt64()] = rows.getColumn(1).getText();
  return digests;
}

/// Consecutive ids of wanted series, and the indices of their results.
struct SeriesRange {
  std::int64_t first = 0;
  std::vector<std::size_t> places;
};

std::vector<SeriesRange> series_ranges_of(const std::vector<ListedSeries>& wanted) {
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t place) { return wanted[place].id; });
  std::vector<SeriesRange> series_ranges;
  for (const std::size_t place : order) {
    const bool follows =
        !series_ranges.empty() &&
        wanted[place].id == series_ranges.back().first + std::ssize(series_ranges.back().places);
    if (!follows) series_ranges.push_back({.first = wanted[place].id, .places = {}});
    series_ranges.back().places.push_back(place);
  }
  return series_ranges;
}

std::optional<Interval> interval_at(SQLite::Statement& row, int column) {
  if (row.getColumn(column).isNull()) return std::nullopt;
  return Interval{.low = row.getColumn(column).getDouble(),
                  .high = row.getColumn(column + 1).getDouble(),
                  .level = row.getColumn(column + 2).getDouble()};
}

std::vector<std::int64_t> days_in(SQLite::Database& database, const DayRange& range) {
  return rows_of(database, "SELECT DISTINCT day FROM nights WHERE day BETWEEN ? AND ? ORDER BY day",
                 first_number, range.first.value_or(std::numeric_limits<std::int64_t>::min()),
                 range.last.value_or(std::numeric_limits<std::int64_t>::max()));
}

/// Reads the rows of one day and series_range of ids into their series.
class SeriesRangeReader {
 public:
  explicit SeriesRangeReader(SQLite::Database& database)
      : digests_(environment_digests(database)),
        rows_(database,
              "SELECT series, value, low, high, level, launches, environment, half_digit "
              "FROM figures "
              "WHERE day = ? AND series BETWEEN ? AND ?") {}

  void read(std::int64_t day, const SeriesRange& series_range, std::vector<NightlySeries>& into) {
    rows_.tryReset();
    rows_.bind(1, day);
    rows_.bind(2, series_range.first);
    rows_.bind(3, series_range.first + std::ssize(series_range.places) - 1);
    while (rows_.executeStep()) {
      const std::int64_t offset = rows_.getColumn(0).getInt64() - series_range.first;
      into[series_range.places[static_cast<std::size_t>(offset)]].nights.push_back(
          {.day = day,
           .value = rows_.getColumn(1).getDouble(),
           .interval = interval_at(rows_, 2),
           .launches = static_cast<std::size_t>(rows_.getColumn(5).getInt64()),
           .half_digit =
               rows_.isColumnNull(7) ? std::nullopt : std::optional(rows_.getColumn(7).getDouble()),
           .environment = rows_.isColumnNull(6) ? "" : digests_[rows_.getColumn(6).getInt64()]});
    }
  }

 private:
  Digests digests_;
  SQLite::Statement rows_;
};

/// InputError for a fault that only a newer version has.
FaultFinding fault_in(SQLite::Statement& row, const std::string& file) {
  const std::string flag = row.getColumn(0).getText();
  const auto fault = find_word<Fault>(flag);
  if (!fault) {
    throw InputError({fmt::format("unknown fault '{}' in '{}'", flag, file),
                      "this hockney has others", suggest(flag, valid_words<Fault>())});
  }
  const auto count = [&](int column) {
    return static_cast<std::size_t>(row.getColumn(column).getInt64());
  };
  return {.fault = *fault,
          .points = count(1),
          .launches = count(2),
          .of_launches = count(3),
          .first = row.getColumn(4).getText(),
          .detail = row.getColumn(5).getText()};
}

void sort_worst_first(std::vector<FaultFinding>& faults) {
  std::ranges::stable_sort(faults, {}, &FaultFinding::fault);
}

/// The planned series without a value in one night, by name.
std::vector<Absence> absences_of(const HistoryDatabase& database, std::int64_t night) {
  return rows_of(
      database, "SELECT series, reason FROM absences WHERE night = ? ORDER BY series",
      [](auto& row) {
        return Absence{.series = row.getColumn(0).getText(), .reason = row.getColumn(1).getText()};
      },
      night);
}

}  // namespace

std::vector<ListedNight> listed_nights(const HistoryDatabase& database) {
  return rows_of(database,
                 "SELECT day, campaign, (SELECT count(*) FROM records WHERE night = nights.id) "
                 "FROM nights ORDER BY day, campaign",
                 [](auto& row) {
                   return ListedNight{
                       .day = row.getColumn(0).getInt64(),
                       .campaign = row.getColumn(1).getText(),
                       .records = static_cast<std::size_t>(row.getColumn(2).getInt64())};
                 });
}

std::vector<std::int64_t> history_days(const HistoryDatabase& database) {
  return rows_of(database, "SELECT DISTINCT day FROM nights ORDER BY day", first_number);
}

std::int64_t first_of_last(const HistoryDatabase& database, const LastDays& wanted) {
  const auto days = rows_of(database,
                            "SELECT DISTINCT day FROM nights WHERE day <= ? ORDER BY day DESC "
                            "LIMIT ?",
                            first_number, wanted.last, static_cast<std::int64_t>(wanted.most));
  return days.empty() ? wanted.last : days.back();
}

std::vector<ListedSeries> listed_series(const HistoryDatabase& database) {
  return rows_of(database, "SELECT id, name, unit, role, worse FROM series ORDER BY name",
                 [](auto& row) {
                   return ListedSeries{.id = row.getColumn(0).getInt64(),
                                       .kind = {.name = row.getColumn(1).getText(),
                                                .unit = row.getColumn(2).getText(),
                                                .role = role_of(row.getColumn(3).getText()),
                                                .worse = worse_of(row.getColumn(4).getText())}};
                 });
}

std::vector<Environment> read_environments(const HistoryDatabase& database) {
  return rows_of(
      database, "SELECT digest, facts FROM environments ORDER BY digest", [&](auto& row) {
        return Environment{.digest = row.getColumn(0).getText(),
                           .facts = facts_of(row.getColumn(1).getText(), database.file())};
      });
}

std::vector<FaultFinding> faults_of(const HistoryDatabase& database, std::int64_t night) {
  std::vector<FaultFinding> faults = rows_of(
      database,
      "SELECT fault, points, launches, of_launches, first, detail FROM faults WHERE night = ?",
      [&](auto& row) { return fault_in(row, database.file()); }, night);
  sort_worst_first(faults);
  return faults;
}

std::vector<FaultFinding> faults_on(const HistoryDatabase& database, std::int64_t day) {
  std::vector<FaultFinding> faults = rows_of(
      database,
      "SELECT fault, points, launches, of_launches, first, detail FROM faults "
      "JOIN nights ON nights.id = night WHERE day = ? ORDER BY campaign",
      [&](auto& row) { return fault_in(row, database.file()); }, day);
  sort_worst_first(faults);
  return faults;
}

std::map<std::string, std::string> absences_on(const HistoryDatabase& database, std::int64_t day) {
  std::map<std::string, std::string> reasons;
  for (const std::int64_t night : rows_of(
           database, "SELECT id FROM nights WHERE day = ? ORDER BY campaign", first_number, day)) {
    for (Absence& absence : absences_of(database, night)) {
      reasons.try_emplace(std::move(absence.series), std::move(absence.reason));
    }
  }
  return reasons;
}

std::optional<std::string> campaign_of(const HistoryDatabase& database, const std::string& series,
                                       std::int64_t day) {
  const auto names = rows_of(
      database,
      "SELECT campaign FROM figures JOIN series ON series.id = series "
      "JOIN nights ON nights.id = night WHERE figures.day = ? AND name = ?",
      [](auto& row) { return row.getColumn(0).getString(); }, day, series);
  return names.empty() ? std::nullopt : std::optional(names.front());
}

std::vector<std::string> pair_points(const HistoryDatabase& database) {
  return rows_of(database, "SELECT name FROM pair_points ORDER BY name",
                 [](auto& row) { return row.getColumn(0).getString(); });
}

std::vector<std::int64_t> days_of_pairs(const HistoryDatabase& database, const std::string& point,
                                        const LastDays& wanted) {
  std::vector<std::int64_t> days =
      rows_of(database,
              "SELECT day FROM (SELECT DISTINCT day FROM nights WHERE day <= ?2) AS known "
              "WHERE EXISTS (SELECT 1 FROM pairs JOIN pair_points ON pair_points.id = point "
              "WHERE pairs.day = known.day AND name = ?1) ORDER BY day DESC LIMIT ?3",
              first_number, point, wanted.last, static_cast<std::int64_t>(wanted.most));
  std::ranges::reverse(days);
  return days;
}

std::vector<fleet::NightlyPair> read_pairs(const HistoryDatabase& database, std::int64_t day,
                                           const std::string& point) {
  return rows_of(
      database,
      "SELECT hop, a.name, b.name, seconds, launches FROM pairs "
      "JOIN pair_points ON pair_points.id = point JOIN hosts a ON a.id = pairs.a "
      "JOIN hosts b ON b.id = pairs.b WHERE day = ? AND pair_points.name = ? ORDER BY 1, 2, 3",
      [](auto& row) {
        return fleet::NightlyPair{
            .a = row.getColumn(1).getText(),
            .b = row.getColumn(2).getText(),
            .hop = row.getColumn(0).getText(),
            .seconds = row.getColumn(3).getDouble(),
            .launches = static_cast<std::size_t>(row.getColumn(4).getInt64())};
      },
      day, point);
}

ReadingMoment::ReadingMoment(const HistoryDatabase& database) : sqlite_(database.sqlite()) {
  translated(database.file(), [&] { sqlite_.exec("BEGIN"); });
}

ReadingMoment::~ReadingMoment() { sqlite_.tryExec("COMMIT"); }

std::vector<NightlySeries> read_series(const HistoryDatabase& database,
                                       const std::vector<ListedSeries>& wanted,
                                       const DayRange& days) {
  return translated(database.file(), [&] {
    std::vector<NightlySeries> series;
    series.reserve(wanted.size());
    for (const ListedSeries& one : wanted) {
      series.push_back({.name = one.kind.name,
                        .unit = one.kind.unit,
                        .role = one.kind.role,
                        .worse = one.kind.worse,
                        .nights = {}});
    }
    const std::vector<std::int64_t> there = days_in(database.sqlite(), days);
    SeriesRangeReader reader(database.sqlite());
    for (const SeriesRange& series_range : series_ranges_of(wanted)) {
      for (const std::int64_t day : there) reader.read(day, series_range, series);
    }
    return series;
  });
}

}  // namespace hockney::health
