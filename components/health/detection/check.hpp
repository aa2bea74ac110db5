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

#include "components/health/detection/detector.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney::health {

/// The value of one series in one night.
struct NightlyValue {
  std::int64_t day = 0;  ///< days since 1970-01-01, UTC
  double value =
      0;  ///< > 0 [unit of the series]: median of the launch medians, or a fitted parameter
  std::optional<Interval> interval;  ///< over launches [unit of the series]
  std::size_t launches = 0;
  std::optional<double> half_digit{};  ///< of values that were printed: half of the last digit
                                       ///< [unit of the series]; the interval contains it
  std::string environment;  ///< digest of the environment; equal digests = equal environments
};

/// Role of a series. A control (memcpy, an empty spin, the clock) does not involve MPI: it changes
/// only with the node.
enum class SeriesRole { subject, control };

constexpr auto words_of(std::type_identity<SeriesRole>) {
  return std::to_array<std::string_view>({"subject", "control"});
}

/// Direction of worse values. `larger`: times, spreads; `smaller`: bandwidths, limits.
enum class WorseWhen { larger, smaller };

constexpr auto words_of(std::type_identity<WorseWhen>) {
  return std::to_array<std::string_view>({"larger", "smaller"});
}

/// One figure of a site over its nights: ascending days, at most one value a day.
struct NightlySeries {
  std::string name;  ///< unique: operation/point/figure
  std::string unit;  ///< as in keys: "seconds", "seconds_per_byte", "bytes", "ratio"
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;
  std::vector<NightlyValue> nights;
  std::string where;  ///< host, whose controls apply; empty: the whole site
};

/// The split with the largest difference between both parts of a series.
struct EnergySplit {
  std::size_t first_after = 0;  ///< index of the first value of the second part
  double statistic = 0;         ///< [unit of the values]
};

/// Allowed first indices of the second part; each part also has at least 2 values.
struct SplitRange {
  std::size_t earliest = 2;
  std::size_t latest = std::numeric_limits<std::size_t>::max();
};

/// The split with the largest energy distance between both parts: n m / (n + m) times 2 E|X - Y| -
/// E|X - X'| - E|Y - Y'| over distinct values (Szekely and Rizzo 2005). This is E-divisive of
/// Matteson and James (2014, JASA 109) with alpha = 1 and one change. Returns nullopt if `range`
/// allows no split. O(n^2).
std::optional<EnergySplit> energy_split(std::span<const double> values,
                                        const SplitRange& range = {});

struct DatingOptions {
  std::size_t latest = 0;       ///< latest index at which the new level may begin
  std::size_t resamples = 250;  ///< of the bootstrap, at least 40
  std::uint64_t seed = 1;
};

/// Date and size of a change of level. Indices refer to the nights passed.
struct LevelChange {
  std::size_t first = 0;     ///< first night of the new level
  std::size_t earliest = 0;  ///< the bootstrap's central 95 % of dates: from here ...
  std::size_t latest = 0;    ///< ... to here
  double change = 0;         ///< ratio of the levels - 1, new : old
  Interval interval;         ///< of `change`
};

/// Dates and sizes a change in a series of logarithms that is known to exist. It always returns the
/// most likely split (energy_split), at most at `options.latest`. The size is the difference of the
/// medians of both sides. The interval and the days come from a moving-block bootstrap (Kuensch
/// 1989) of the pooled deviations from the medians. Pooling lets few nights of the new level use
/// the noise of the old one. Returns nullopt for fewer than 7 nights, or `latest` below 5.
std::optional<LevelChange> date_change(std::span<const double> log_values,
                                       const DatingOptions& options);

/// A change that the site has accepted: the baselines of matching series restart on that day.
struct AcceptedShift {
  std::string series;  ///< name, with * for any text
  std::int64_t day = 0;
};

/// Days whose measurements do not count.
struct MaintenanceWindow {
  std::int64_t first_day = 0;
  std::int64_t last_day = 0;  ///< inclusive
};

struct CheckOptions {
  DetectorParameters detector;
  std::vector<AcceptedShift> accepted;
  std::vector<MaintenanceWindow> maintenance;
  /// The judged night; later nights are ignored. nullopt: the last night of all series.
  std::optional<std::int64_t> today;
  /// Largest age in days of a series' last value for `absent`; older series are `stale`. Series
  /// without a value on the judged night are undecided, unless they regressed.
  std::int64_t stale_after_days = 3;
  /// An outlier night is a verdict, not only `suspect`. For nights of many launches on machines
  /// without spikes.
  bool single_night = false;
  double isolate_beyond = 0.20;  ///< change for the worse of a host: `isolate` [ratio - 1]
  std::uint64_t seed = 1;        ///< of the bootstrap of intervals
};

/// `missing`: measured before, without a value on the judged night though one was due. Only the
/// history can tell (components/health/app): check_series() gives `undecided`.
enum class Verdict { steady, regressed, improved, undecided, missing };
constexpr auto words_of(std::type_identity<Verdict>) {
  return std::to_array<std::string_view>(
      {"steady", "regressed", "improved", "undecided", "missing"});
}

/// Reason for an undecided verdict.
enum class UndecidedWhy {
  none,            ///< the verdict is decided
  no_nights,       ///< no counted nights: all in maintenance or before an accepted shift
  short_baseline,  ///< fewer nights than a baseline needs
  stale,           ///< no recent measurement
  absent           ///< measured lately, but not on the judged night
};
constexpr auto words_of(std::type_identity<UndecidedWhy>) {
  return std::to_array<std::string_view>(
      {"none", "no_nights", "short_baseline", "stale", "absent"});
}

/// A change of environment between consecutive nights.
struct EnvironmentChange {
  std::int64_t day = 0;         ///< first night of the new one
  std::int64_t day_before = 0;  ///< last night of the old one
  std::string before;           ///< NightlyValue::environment
  std::string after;
};

/// A night at least twice as far from the median as the other nights, except such nights on the
/// same side just before it.
struct NightOutlier {
  std::int64_t day = 0;
  double change = 0;                 ///< ratio to the median of the nights before - 1
  std::optional<Interval> interval;  ///< of the night over launches, as `change`
  double score = 0;                  ///< [noise of the nights before]
  std::int64_t since = 0;            ///< first of the outliers without a usual night between them
};

/// A change of level.
struct DatedChange {
  std::int64_t since = 0;       ///< first night of the new level
  std::int64_t since_low = 0;   ///< the bootstrap's central 95 % of dates: from here ...
  std::int64_t since_high = 0;  ///< ... to here
  std::int64_t alarmed = 0;     ///< first night on which it was detected
  double change = 0;            ///< ratio of new to old level - 1
  std::optional<Interval>
      interval;  ///< of `change`; nullopt: undatable, or one night without an interval
};

/// Verdict on one series, with its evidence.
struct SeriesHealth {
  std::string series;
  SeriesRole role = SeriesRole::subject;
  Verdict verdict = Verdict::undecided;
  UndecidedWhy why = UndecidedWhy::none;
  bool is_open = false;  ///< regressed on its last nights, and not measured since
  fleet::Severity severity = fleet::Severity::none;
  std::size_t nights = 0;  ///< counted ones: outside of maintenance, since the last accepted shift
  std::size_t nights_needed = 0;         ///< for a baseline
  std::optional<std::int64_t> last_day;  ///< of the counted nights
  std::optional<DatedChange> change;     ///< set if regressed or improved
  /// Set if regressed: the last nights over the baseline - 1, more than `change` after two steps.
  std::optional<double> from_baseline;
  std::optional<double> baseline;       ///< its median [unit of the series]
  std::optional<double> noise;          ///< its robust standard deviation [log ratio]
  std::optional<NightOutlier> suspect;  ///< the last night, if an outlier in either direction
  std::vector<EnvironmentChange> environment;  ///< on the nights on which `change` may have begun
  std::vector<std::string> controls;  ///< changed on the same nights: the node did, not MPI
};

/// Judges every series; results are in the same order. docs/explanation/health.md states the rates
/// of false alarms for the detector's parameters. InputError for days that do not ascend, values
/// that are not positive and finite, two series of one name, or a maintenance window that ends
/// before it begins. O(nights) time for a series without a change.
std::vector<SeriesHealth> check_series(std::span<const NightlySeries> series,
                                       const CheckOptions& options = {});

}  // namespace hockney::health
