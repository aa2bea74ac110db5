#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/health/history/database.hpp"

namespace hockney::health {

/// A changed fact of the environment; empty text for an unknown value.
struct FactChange {
  std::string fact;
  std::string before;
  std::string after;

  friend bool operator==(const FactChange&, const FactChange&) = default;
};

/// Sorted by fact.
std::vector<FactChange> changed_facts(const Environment& before, const Environment& after);

/// A note by a user: "MPI 5.0.9 installed".
struct Note {
  std::int64_t day = 0;
  std::string text;

  friend bool operator==(const Note&, const Note&) = default;
};

/// From this day on the series has a new, accepted level.
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

// Adding the same entry twice changes nothing; another reason replaces the first.
void add_note(const HistoryDatabase& database, const Note& note);
void add_acceptance(const HistoryDatabase& database, const Acceptance& acceptance);
void add_maintenance(const HistoryDatabase& database, const Maintenance& maintenance);

// In order of days.
std::vector<Note> read_notes(const HistoryDatabase& database);
std::vector<Acceptance> read_acceptances(const HistoryDatabase& database);
std::vector<Maintenance> read_maintenances(const HistoryDatabase& database);

/// One night of one campaign, as listed.
struct ListedNight {
  std::int64_t day = 0;
  std::string campaign;
  std::size_t records = 0;
};

/// By day, then by campaign.
std::vector<ListedNight> listed_nights(const HistoryDatabase& database);

/// The days with nights, ascending.
std::vector<std::int64_t> history_days(const HistoryDatabase& database);

/// Limits for days with nights: at most `most` days, up to `last`.
struct LastDays {
  std::int64_t last = 0;
  std::size_t most = 0;
};

/// The first of these days; `last` without any.
std::int64_t first_of_last(const HistoryDatabase& database, const LastDays& wanted);

/// A series and its id in this history.
struct ListedSeries {
  std::int64_t id = 0;
  SeriesKind kind;
};

/// By name.
std::vector<ListedSeries> listed_series(const HistoryDatabase& database);

/// Days from `first` to `last`, both inclusive; nullopt: no limit.
struct DayRange {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;
};

/// The wanted series with their values of those days, in the order of `wanted`. A series without
/// values has no nights. One search for each day and stretch of neighbouring ids.
std::vector<NightlySeries> read_series(const HistoryDatabase& database,
                                       const std::vector<ListedSeries>& wanted,
                                       const DayRange& days = {});

/// All environments.
std::vector<Environment> read_environments(const HistoryDatabase& database);

/// The points at which pairs were measured, by name.
std::vector<std::string> pair_points(const HistoryDatabase& database);

/// The last days with pairs at this point, ascending.
std::vector<std::int64_t> days_of_pairs(const HistoryDatabase& database, const std::string& point,
                                        const LastDays& wanted);

/// The pairs measured on a day at one point, by hop and hosts.
std::vector<fleet::NightlyPair> read_pairs(const HistoryDatabase& database, std::int64_t day,
                                           const std::string& point);

/// The faults in one night, by its id, the worst first.
std::vector<FaultFinding> faults_of(const HistoryDatabase& database, std::int64_t night);

/// The faults in all nights of a day.
std::vector<FaultFinding> faults_on(const HistoryDatabase& database, std::int64_t day);

/// Reasons by series, of all nights of a day.
std::map<std::string, std::string> absences_on(const HistoryDatabase& database, std::int64_t day);

/// The campaign whose night has a series' value of that day; nullopt without a value.
std::optional<std::string> campaign_of(const HistoryDatabase& database, const std::string& series,
                                       std::int64_t day);

/// Reads through `database` see one moment, even if a writer commits meanwhile.
class ReadingMoment {
 public:
  explicit ReadingMoment(const HistoryDatabase& database);
  ReadingMoment(const ReadingMoment&) = delete;
  ReadingMoment& operator=(const ReadingMoment&) = delete;
  ReadingMoment(ReadingMoment&&) = delete;
  ReadingMoment& operator=(ReadingMoment&&) = delete;
  ~ReadingMoment();

 private:
  SQLite::Database& sqlite_;
};

}  // namespace hockney::health
