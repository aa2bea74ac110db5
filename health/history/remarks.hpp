#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "health/history/database.hpp"
#include "health/history/night.hpp"

namespace hockney::health {

/// A fact of the environment that became another one; an empty text where it was or is unknown.
struct FactChange {
  std::string fact;
  std::string before;
  std::string after;

  friend bool operator==(const FactChange&, const FactChange&) = default;
};

/// By fact.
std::vector<FactChange> changed_facts(const Environment& before, const Environment& after);

/// What people tell a history of: "MPI 5.0.9 installed".
struct Note {
  std::int64_t day = 0;
  std::string text;

  friend bool operator==(const Note&, const Note&) = default;
};

/// From this day on the series lies at a new level that is right.
struct Acceptance {
  std::int64_t day = 0;
  std::string series;  ///< name, with * for any text
  std::string why;

  friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

/// Days whose values do not count, both inclusive.
struct Maintenance {
  std::int64_t first_day = 0;
  std::int64_t last_day = 0;
  std::string why;

  friend bool operator==(const Maintenance&, const Maintenance&) = default;
};

// Telling the same twice changes nothing; another reason takes the place of the first.
void add_note(const HistoryDatabase& database, const Note& note);
void add_acceptance(const HistoryDatabase& database, const Acceptance& acceptance);
void add_maintenance(const HistoryDatabase& database, const Maintenance& maintenance);

// In order of days.
std::vector<Note> read_notes(const HistoryDatabase& database);
std::vector<Acceptance> read_acceptances(const HistoryDatabase& database);
std::vector<Maintenance> read_maintenances(const HistoryDatabase& database);

}  // namespace hockney::health
