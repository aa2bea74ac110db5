#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/statistics.hpp"
#include "core/text.hpp"
#include "health/detection/detector.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {

/// One series in one night.
struct NightlyValue {
  std::int64_t day = 0;  ///< days since 1970-01-01, UTC
  double value =
      0;  ///< > 0 [unit of its series]: the median of the launch medians, or a fitted parameter
  std::optional<Interval> interval;  ///< over launches [the same]
  std::size_t launches = 0;
  std::string environment;  ///< digest of what may change under it; equal text = equal environment
};

/// A control is what MPI has no part in (memcpy, an empty spin, the clock): it changes when the
/// node does.
enum class SeriesRole { subject, control };

constexpr auto words_of(std::type_identity<SeriesRole>) {
  return std::to_array<std::string_view>({"subject", "control"});
}

/// Which direction is bad: times, limits below asked, spreads: larger; bandwidths: smaller.
enum class WorseWhen { larger, smaller };

constexpr auto words_of(std::type_identity<WorseWhen>) {
  return std::to_array<std::string_view>({"larger", "smaller"});
}

/// One figure of a site over its nights, in order of days, at most one a day.
struct NightlySeries {
  std::string name;  ///< unique: operation/point/figure
  std::string unit;  ///< as in keys: "seconds", "seconds_per_byte", "bytes", "ratio"
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;
  std::vector<NightlyValue> nights;
  std::string
      where;  ///< the host it belongs to, whose controls speak for it; empty: the whole site
};

/// Where two parts of a series differ most.
struct EnergySplit {
  std::size_t first_after = 0;  ///< index of the first value of the second part
  double statistic = 0;         ///< [unit of the values]
};

/// Where the second part may begin; each part has at least 2 values besides.
struct SplitRange {
  std::size_t earliest = 2;
  std::size_t latest = std::numeric_limits<std::size_t>::max();
};

/// The split that maximises the energy distance between both parts, n m / (n + m) times
/// 2 E|X - Y| - E|X - X'| - E|Y - Y'| over distinct values (Szekely and Rizzo 2005; E-divisive of
/// Matteson and James 2014, JASA 109, with alpha = 1 and one change). nullopt where the range
/// leaves no split. O(n^2).
std::optional<EnergySplit> energy_split(std::span<const double> values,
                                        const SplitRange& range = {});

struct DatingOptions {
  std::size_t latest = 0;       ///< the new level began at this night (an index) or before
  std::size_t resamples = 250;  ///< of the bootstrap, 40 at least
  std::uint64_t seed = 1;
};

/// When a level changed and by how much. Indices are those of the nights given.
struct LevelChange {
  std::size_t first = 0;     ///< first night of the new level
  std::size_t earliest = 0;  ///< 95 % of the bootstrap date it from here ...
  std::size_t latest = 0;    ///< ... to here
  double change = 0;         ///< ratio of the levels - 1, new : old
  Interval interval;         ///< of `change`
};

/// Dates and sizes the change of a series of logarithms, which something else has found: it always
/// answers with the most likely split (energy_split), at `options.latest` at most. The size is the
/// difference of the medians of both sides; its interval, and the days, are from a moving-block
/// bootstrap (Kuensch 1989) of the pooled deviations from them, so that few nights of the new level
/// borrow the noise of the old one. nullopt for fewer than 7 nights, or `latest` below 5.
std::optional<LevelChange> date_change(std::span<const double> log_values,
                                       const DatingOptions& options);

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
/// docs/explanation/health.md says of the detector's parameters. InputError for days that do not
/// ascend, values that are not positive and finite, two series of one name, or a maintenance window
/// that ends before it begins. O(nights) time for a series without a change.
std::vector<SeriesHealth> check_series(std::span<const NightlySeries> series,
                                       const CheckOptions& options = {});

/// What one series says by itself, as of `today`: all of SeriesHealth but `controls`. InputError as
/// check_series().
SeriesHealth judge_series(const NightlySeries& series, const CheckOptions& options,
                          std::int64_t today);

}  // namespace hockney::health
