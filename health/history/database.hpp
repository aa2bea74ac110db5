#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/faults.hpp"
#include "health/detection/check.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {

inline constexpr SeriesRole role_of(std::string_view text) {
  return find_word<SeriesRole>(text).value_or(SeriesRole::subject);
}

inline constexpr WorseWhen worse_of(std::string_view text) {
  return find_word<WorseWhen>(text).value_or(WorseWhen::larger);
}

/// A record that a night was made of.
struct NightRecord {
  std::string digest;  ///< of the file's content
  std::string file;    ///< where it was read, absolute

  friend bool operator==(const NightRecord&, const NightRecord&) = default;
};

/// What may change under a series without being measured: library, kernel, governor, settings.
struct Environment {
  std::string digest;                        ///< of the facts
  std::map<std::string, std::string> facts;  ///< "mpi.library" to "Open MPI v4.1.4"

  friend bool operator==(const Environment&, const Environment&) = default;
};

/// What a series is, without its nights.
struct SeriesKind {
  std::string name;  ///< core/point.hpp
  std::string unit;  ///< "seconds", "seconds_per_byte", "bytes_per_second", "bytes", "ratio"
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;

  friend bool operator==(const SeriesKind&, const SeriesKind&) = default;
};

/// One series in this night. The day of the value is that of the night.
struct NightFigure {
  SeriesKind series;
  NightlyValue value;
};

/// All that a night of one campaign leaves in the history.
struct Night {
  std::int64_t day = 0;
  std::string campaign;  ///< empty for launches by hand
  std::vector<NightRecord> records;
  std::vector<Environment> environments;
  std::vector<NightFigure> figures;
  std::vector<fleet::NightPair> pairs;
  std::vector<FaultFinding> faults;  ///< of its records, whose figures are left out
};

}  // namespace hockney::health

namespace SQLite {
class Database;
}

namespace hockney::health {

/// "hock", in the header of the file: tells a history from the databases of other programs.
inline constexpr int history_application = 0x686f636b;

/// What makes a history of version i of one of version i - 1, as SQL; version 0 is an empty file.
/// Only ever appended to: histories of sites hold what earlier ones made.
std::span<const std::string_view> history_migrations();

/// What a history is opened for. Only `create` makes one that is not there.
enum class HistoryAccess { read, write, create };

/// How long to wait for another writer.
inline constexpr std::chrono::milliseconds default_history_wait{10'000};

/// A history on disk: SQLite, one writer and many readers at a time (WAL). Every function that
/// takes one throws InputError for a file that is no history, is damaged or is of a newer hockney,
/// RunError when it stays locked by another writer or the disk refuses.
class HistoryDatabase {
 public:
  /// A history of an older version is brought up to this one, which needs `write` or `create`.
  HistoryDatabase(const std::string& file, HistoryAccess access,
                  std::chrono::milliseconds wait = default_history_wait);
  HistoryDatabase(const HistoryDatabase&) = delete;
  HistoryDatabase& operator=(const HistoryDatabase&) = delete;
  HistoryDatabase(HistoryDatabase&&) noexcept;
  HistoryDatabase& operator=(HistoryDatabase&&) noexcept;
  ~HistoryDatabase();

  [[nodiscard]] const std::string& file() const { return file_; }
  /// For history/ alone.
  [[nodiscard]] SQLite::Database& sqlite() const { return *sqlite_; }

 private:
  std::string file_;
  std::unique_ptr<SQLite::Database> sqlite_;
};

/// The version of the schema that this program writes.
int history_version();

}  // namespace hockney::health
