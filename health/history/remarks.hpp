#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "health/history/database.hpp"
#include "health/history/night.hpp"

namespace hockney {

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
struct HistoryNote {
  std::int64_t day = 0;
  std::string text;

  friend bool operator==(const HistoryNote&, const HistoryNote&) = default;
};

/// From this day on the series lies at a new level that is right.
struct HistoryAcceptance {
  std::int64_t day = 0;
  std::string series;  ///< name, with * for any text
  std::string why;

  friend bool operator==(const HistoryAcceptance&, const HistoryAcceptance&) = default;
};

/// Days whose values do not count, both inclusive.
struct HistoryMaintenance {
  std::int64_t first_day = 0;
  std::int64_t last_day = 0;
  std::string why;

  friend bool operator==(const HistoryMaintenance&, const HistoryMaintenance&) = default;
};

// Telling the same twice changes nothing; another reason takes the place of the first.
void add_note(const HistoryDatabase& database, const HistoryNote& note);
void add_acceptance(const HistoryDatabase& database, const HistoryAcceptance& acceptance);
void add_maintenance(const HistoryDatabase& database, const HistoryMaintenance& maintenance);

// In order of days.
std::vector<HistoryNote> read_notes(const HistoryDatabase& database);
std::vector<HistoryAcceptance> read_acceptances(const HistoryDatabase& database);
std::vector<HistoryMaintenance> read_maintenances(const HistoryDatabase& database);

}  // namespace hockney
