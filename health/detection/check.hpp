#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "core/words.hpp"
#include "health/detection/detector.hpp"
#include "health/detection/nightly_series.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {

/// A change that the site knows of: the baseline of the series it names restarts on that day.
struct AcceptedShift {
  std::string series;  ///< name, with * for any text
  std::int64_t day = 0;
};

/// Days on which nothing that is measured counts.
struct MaintenanceWindow {
  std::int64_t first_day = 0;
  std::int64_t last_day = 0;  ///< inclusive
};

struct CheckOptions {
  DetectorParameters detector;
  std::vector<AcceptedShift> accepted;
  std::vector<MaintenanceWindow> maintenance;
  /// The night that is judged; nothing later is looked at. nullopt: the last night of all series.
  std::optional<std::int64_t> today;
  /// A series whose last value is more days old than this is undecided, unless it regressed.
  std::int64_t stale_after_days = 3;
  /// One night far outside of everything before is a verdict by itself, not only `suspect`: for
  /// nights of many launches on machines without spikes.
  bool single_night = false;
  double isolate_beyond = 0.20;  ///< change for the worse of a host that is `isolate` [ratio - 1]
  std::uint64_t seed = 1;        ///< of the bootstrap of intervals
};

enum class Verdict { steady, regressed, improved, undecided };
constexpr auto words_of(std::type_identity<Verdict>) {
  return std::to_array<std::string_view>({"steady", "regressed", "improved", "undecided"});
}

/// Why a verdict is undecided.
enum class UndecidedWhy {
  none,            ///< it is decided
  no_nights,       ///< nothing that counts: all nights in maintenance or before an accepted shift
  short_baseline,  ///< fewer nights than a baseline needs
  stale            ///< not measured lately
};
constexpr auto words_of(std::type_identity<UndecidedWhy>) {
  return std::to_array<std::string_view>({"none", "no_nights", "short_baseline", "stale"});
}

/// The environment of a night is not that of the night before it.
struct EnvironmentChange {
  std::int64_t day = 0;         ///< first night of the new one
  std::int64_t day_before = 0;  ///< last night of the old one
  std::string before;           ///< NightlyValue::environment
  std::string after;
};

/// One night twice as far from the median as any night before it.
struct NightOutlier {
  std::int64_t day = 0;
  double change = 0;                 ///< ratio to the median of the nights before - 1
  std::optional<Interval> interval;  ///< that of the night over launches, as `change`
  double score = 0;                  ///< [noise of the nights before]
};

/// A change of level.
struct DatedChange {
  std::int64_t since = 0;       ///< first night of the new level
  std::int64_t since_low = 0;   ///< 95 % of the bootstrap date it from here ...
  std::int64_t since_high = 0;  ///< ... to here
  std::int64_t alarmed = 0;     ///< the night on which it was first known
  double change = 0;            ///< ratio of new to old level - 1
  std::optional<Interval>
      interval;  ///< of `change`; nullopt: one night without an interval, or undatable
};

/// What is said of one series.
struct SeriesHealth {
  std::string series;
  SeriesRole role = SeriesRole::subject;
  Verdict verdict = Verdict::undecided;
  UndecidedWhy why = UndecidedWhy::none;
  bool is_open = false;  ///< regressed on its last nights, and not measured lately
  fleet::Severity severity = fleet::Severity::none;
  std::size_t nights = 0;  ///< that count: outside of maintenance, since the last accepted shift
  std::size_t nights_needed = 0;               ///< for a baseline
  std::optional<std::int64_t> last_day;        ///< of the nights that count
  std::optional<DatedChange> change;           ///< when regressed or improved
  std::optional<double> baseline;              ///< its median [unit of the series]
  std::optional<double> noise;                 ///< its robust standard deviation [log ratio]
  std::optional<NightOutlier> suspect;         ///< tonight by itself, in either direction
  std::vector<EnvironmentChange> environment;  ///< on the nights that `change` may have begun
  std::vector<std::string> controls;  ///< that changed on the same nights: the node did, not MPI
};

/// Judges every series; results in their order. Each has at most so many false alarms as
/// docs/health.md says of the detector's parameters. InputError for days that do not ascend, values
/// that are not positive and finite, two series of one name, or a maintenance window that ends
/// before it begins. O(nights) time for a series without a change.
std::vector<SeriesHealth> check_series(std::span<const NightlySeries> series,
                                       const CheckOptions& options = {});

/// What one series says by itself, as of `today`: all of SeriesHealth but `controls`. InputError as
/// check_series().
SeriesHealth judge_series(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today);

}  // namespace hockney::health
