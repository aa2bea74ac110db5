#include <algorithm>
#include <unordered_map>

#include "history/reading.hpp"
#include "history/translated.hpp"

namespace hockney {
namespace {

using Digests = std::unordered_map<std::int64_t, std::string>;

Digests environment_digests(SQLite::Database& database) {
  SQLite::Statement rows(database, "SELECT id, digest FROM environments");
  Digests digests;
  while (rows.executeStep()) digests[rows.getColumn(0).getInt64()] = rows.getColumn(1).getText();
  return digests;
}

/// Ids that are wanted one after the other, and where their series are put.
struct Stretch {
  std::int64_t first = 0;
  std::vector<std::size_t> places;
};

std::vector<Stretch> stretches_of(const std::vector<ListedSeries>& wanted) {
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t place) { return wanted[place].id; });
  std::vector<Stretch> stretches;
  for (const std::size_t place : order) {
    const bool follows =
        !stretches.empty() &&
        wanted[place].id == stretches.back().first + std::ssize(stretches.back().places);
    if (!follows) stretches.push_back({.first = wanted[place].id, .places = {}});
    stretches.back().places.push_back(place);
  }
  return stretches;
}

std::optional<Interval> interval_at(SQLite::Statement& row, int column) {
  if (row.getColumn(column).isNull()) return std::nullopt;
  return Interval{.low = row.getColumn(column).getDouble(),
                  .high = row.getColumn(column + 1).getDouble(),
                  .level = row.getColumn(column + 2).getDouble()};
}

std::vector<std::int64_t> days_in(SQLite::Database& database, const DayRange& range) {
  SQLite::Statement rows(database,
                         "SELECT DISTINCT day FROM nights WHERE (?1 IS NULL OR day >= ?1) AND "
                         "(?2 IS NULL OR day <= ?2) ORDER BY day");
  range.first ? rows.bind(1, *range.first) : rows.bind(1);
  range.last ? rows.bind(2, *range.last) : rows.bind(2);
  std::vector<std::int64_t> days;
  while (rows.executeStep()) days.push_back(rows.getColumn(0).getInt64());
  return days;
}

/// Reads the rows of one day and stretch into their series.
class StretchReader {
 public:
  explicit StretchReader(SQLite::Database& database)
      : digests_(environment_digests(database)),
        rows_(database,
              "SELECT series, value, low, high, level, launches, environment FROM figures "
              "WHERE day = ? AND series BETWEEN ? AND ?") {}

  void read(std::int64_t day, const Stretch& stretch, std::vector<NightlySeries>& into) {
    rows_.tryReset();
    rows_.bind(1, day);
    rows_.bind(2, stretch.first);
    rows_.bind(3, stretch.first + std::ssize(stretch.places) - 1);
    while (rows_.executeStep()) {
      const std::int64_t offset = rows_.getColumn(0).getInt64() - stretch.first;
      into[stretch.places[static_cast<std::size_t>(offset)]].nights.push_back(
          {.day = day,
           .value = rows_.getColumn(1).getDouble(),
           .interval = interval_at(rows_, 2),
           .launches = static_cast<std::size_t>(rows_.getColumn(5).getInt64()),
           .environment = rows_.isColumnNull(6) ? "" : digests_[rows_.getColumn(6).getInt64()]});
    }
  }

 private:
  Digests digests_;
  SQLite::Statement rows_;
};

}  // namespace

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
    StretchReader reader(database.sqlite());
    for (const Stretch& stretch : stretches_of(wanted)) {
      for (const std::int64_t day : there) reader.read(day, stretch, series);
    }
    return series;
  });
}

}  // namespace hockney
