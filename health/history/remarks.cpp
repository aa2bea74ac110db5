#include "health/history/remarks.hpp"

#include <set>

#include "core/error.hpp"
#include "core/time.hpp"
#include "health/history/statements.hpp"

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
    throw InputError(
        {"maintenance ends before it begins",
         day_text(maintenance.last_day) + " is before " + day_text(maintenance.first_day),
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

}  // namespace hockney::health
