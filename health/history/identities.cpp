#include "health/history/identities.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "health/history/night.hpp"
#include "health/history/statements.hpp"

namespace hockney::health {
namespace {

/// The id that a search found, if it found one. A statement that is not reset would go on reading.
std::optional<std::int64_t> found_id(SQLite::Statement& find) {
  std::optional<std::int64_t> id;
  if (find.executeStep()) id = find.getColumn(0).getInt64();
  find.tryReset();
  return id;
}

std::string described(const SeriesKind& kind) {
  return kind.unit + ", " + std::string(word(kind.role)) + ", worse when " +
         std::string(word(kind.worse));
}

void require_equal(const SeriesKind& there, const SeriesKind& given) {
  if (there == given) return;
  throw InputError({"the series '" + given.name + "' is another one in the history",
                    "there it is " + described(there) + "; here " + described(given),
                    "ingest these records into a history of their own"});
}

}  // namespace

void keep_number(const HistoryDatabase& database, const KeptNumber& number) {
  execute(database,
          "INSERT INTO kept (name, value) VALUES (?, ?) "
          "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
          number.name, number.value);
}

std::optional<double> kept_number(const HistoryDatabase& database, const std::string& name) {
  for (const KeptNumber& number : kept_numbers(database)) {
    if (number.name == name) return number.value;
  }
  return std::nullopt;
}

std::vector<KeptNumber> kept_numbers(const HistoryDatabase& database) {
  return rows_of(database, "SELECT name, value FROM kept ORDER BY name", [](auto& row) {
    return KeptNumber{.name = row.getColumn(0).getText(), .value = row.getColumn(1).getDouble()};
  });
}

Identities::Named::Named(SQLite::Database& database, const std::string& table)
    : find(database, "SELECT id FROM " + table + " WHERE name = ?"),
      insert(database, "INSERT INTO " + table + " (name) VALUES (?)") {}

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

std::optional<std::int64_t> night_id(SQLite::Database& database, std::int64_t day,
                                     const std::string& campaign) {
  const auto ids = rows_of(
      database, "SELECT id FROM nights WHERE day = ? AND campaign = ?",
      [](auto& row) { return row.getColumn(0).getInt64(); }, day, campaign);
  return ids.empty() ? std::nullopt : std::optional(ids.front());
}

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

}  // namespace hockney::health
