#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "health/history/database.hpp"
#include "health/history/night.hpp"

namespace hockney::health {

/// A number that a command leaves for later ones, such as the threshold that `calibrate` found.
struct KeptNumber {
  std::string name;
  double value = 0;

  friend bool operator==(const KeptNumber&, const KeptNumber&) = default;
};

inline constexpr const char* threshold_name = "detector.threshold";

/// Takes the place of an earlier one of its name.
void keep_number(const HistoryDatabase& database, const KeptNumber& number);
std::optional<double> kept_number(const HistoryDatabase& database, const std::string& name);
/// By name.
std::vector<KeptNumber> kept_numbers(const HistoryDatabase& database);

/// The number of the night of a campaign; nullopt when the history has none.
std::optional<std::int64_t> night_id(SQLite::Database& database, std::int64_t day,
                                     const std::string& campaign);

/// The numbers that stand for names in a history; a name that is new gets one. They are remembered,
/// so that a name is looked up once for all nights that are written.
class Identities {
 public:
  explicit Identities(SQLite::Database& database);

  /// InputError when the series is there with another unit, role or direction.
  std::int64_t series(const SeriesKind& kind);
  std::int64_t environment(const Environment& environment);
  /// Of one that was given as an Environment before; nullopt for an empty digest.
  std::optional<std::int64_t> environment(const std::string& digest);
  std::int64_t host(const std::string& name);
  std::int64_t pair_point(const std::string& name);
  std::int64_t night(std::int64_t day, const std::string& campaign);

  /// To be called when a transaction was undone: numbers given in it stand for nothing.
  void forget();

 private:
  struct Named {
    Named(SQLite::Database& database, const std::string& table);
    std::int64_t operator()(SQLite::Database& database, const std::string& name);
    SQLite::Statement find;
    SQLite::Statement insert;
    std::unordered_map<std::string, std::int64_t> known;
  };

  struct KnownSeries {
    SeriesKind kind;
    std::int64_t id = 0;
  };
  KnownSeries find_or_insert(const SeriesKind& kind);

  SQLite::Database& database_;
  SQLite::Statement find_series_;
  SQLite::Statement insert_series_;
  SQLite::Statement find_environment_;
  SQLite::Statement insert_environment_;
  Named hosts_;
  Named points_;
  std::unordered_map<std::string, KnownSeries> series_;
  std::unordered_map<std::string, std::int64_t> environments_;
};

}  // namespace hockney::health
