#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/health/detection/check.hpp"
#include "core/faults.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {

inline constexpr SeriesRole role_of(std::string_view text) {
  return find_word<SeriesRole>(text).value_or(SeriesRole::subject);
}

inline constexpr WorseWhen worse_of(std::string_view text) {
  return find_word<WorseWhen>(text).value_or(WorseWhen::larger);
}

/// A record of a night.
struct NightRecord {
  std::string digest;  ///< of the file's content
  std::string file;    ///< path at the time of reading, absolute

  friend bool operator==(const NightRecord&, const NightRecord&) = default;
};

/// Facts that affect a series without being measured: library, kernel, governor, settings.
struct Environment {
  std::string digest;                        ///< of the facts
  std::map<std::string, std::string> facts;  ///< "mpi.library" to "Open MPI v4.1.4"

  friend bool operator==(const Environment&, const Environment&) = default;
};

/// A series without its nights.
struct SeriesKind {
  std::string name;  ///< core/point.hpp
  std::string unit;  ///< "seconds", "seconds_per_byte", "bytes_per_second", "bytes", "ratio"
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;

  friend bool operator==(const SeriesKind&, const SeriesKind&) = default;
};

/// The value of one series in a night, whose day is the value's day.
struct NightFigure {
  SeriesKind series;
  NightlyValue value;
};

/// A planned series without a value in its night.
struct Absence {
  std::string series;
  std::string reason;  ///< "SIGSEGV in libmpi.so.40, left out after 2 launches"

  friend bool operator==(const Absence&, const Absence&) = default;
};

/// The series of an Absence that stands for all of a campaign. As the operation of a series it
/// stands for all of the series' host.
inline constexpr const char* every_series = "*";

/// Everything that a night of one campaign stores in the history.
struct Night {
  std::int64_t day = 0;
  std::string campaign;  ///< empty for launches by hand
  std::vector<NightRecord> records;
  std::vector<Environment> environments;
  std::vector<NightFigure> figures;
  std::vector<fleet::NightPair> pairs;
  std::vector<FaultFinding> faults;  ///< of its records; their figures are left out
  std::vector<Absence> absences{};   ///< planned series that no record has
};

}  // namespace hockney::health

namespace SQLite {
class Database;
}

namespace hockney::health {

/// "hock" in the file header: distinguishes a history from databases of other programs.
inline constexpr int history_application = 0x686f636b;

/// SQL that migrates a history from version i - 1 to version i; version 0 is an empty file. Append
/// only: histories of sites contain the results of earlier entries.
std::span<const std::string_view> history_migrations();

/// Access to a history. Only `create` makes a missing file.
enum class HistoryAccess { read, write, create };

/// Time to wait for another writer.
inline constexpr std::chrono::milliseconds default_history_wait{10'000};

/// A history on disk: SQLite, with one writer and many readers at a time (WAL). Functions with this
/// parameter throw InputError for a file that is no history, is damaged, or is of a newer hockney.
/// They throw RunError if another writer keeps it locked or the disk refuses.
class HistoryDatabase {
 public:
  /// Migrates a history of an older version; this needs `write` or `create`.
  HistoryDatabase(const std::string& file, HistoryAccess access,
                  std::chrono::milliseconds wait = default_history_wait);
  HistoryDatabase(const HistoryDatabase&) = delete;
  HistoryDatabase& operator=(const HistoryDatabase&) = delete;
  HistoryDatabase(HistoryDatabase&&) noexcept;
  HistoryDatabase& operator=(HistoryDatabase&&) noexcept;
  ~HistoryDatabase();

  [[nodiscard]] const std::string& file() const { return file_; }
  /// For files in history/ only.
  [[nodiscard]] SQLite::Database& sqlite() const { return *sqlite_; }

 private:
  std::string file_;
  std::unique_ptr<SQLite::Database> sqlite_;
};

/// The schema version that this program writes.
int history_version();

}  // namespace hockney::health
