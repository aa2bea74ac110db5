#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// The samples of one point in one epoch, taken one after the other; or, after the last epoch, no
/// samples but the news how its data fared; or, where a clock jumped, its flag alone.
struct MeasurementBlock {
  std::size_t point = 0;  ///< index into the record's planned points
  std::int64_t batch = 1;
  std::vector<double> samples_seconds;
  std::optional<double> started_seconds;      ///< since measuring began
  std::optional<double> skew_seconds;         ///< between the first and the last rank's begin [s]
  std::vector<double> locals_seconds;         ///< of each rank, begin to end; on request
  int late_starts = 0;                        ///< missed by some rank, and repeated
  std::optional<double> noise_probe_seconds;  ///< the slowest rank's control, before or after [s]
  std::optional<double> page_faults;          ///< of one operation, on the rank with the most
  std::optional<Transport> transport;         ///< of its messages, where somebody counts
  std::int64_t deliveries_checked = 0;        ///< iterations whose data were looked at
  bool is_check = false;                      ///< nothing was timed
  std::vector<std::string> flags;

  friend bool operator==(const MeasurementBlock&, const MeasurementBlock&) = default;
};

/// Why a point has no sample whose turn never came: this, and what ended the launch.
inline constexpr std::string_view not_reached_reason = "it was not reached before ";

/// Gathers measurement blocks, in any order of points, into one series per point.
class SampleStore {
 public:
  explicit SampleStore(std::vector<PlannedPoint> points);

  void add(const MeasurementBlock& block);

  /// The series of every point that has samples, in order of points, with summaries and the path
  /// that is proven for them.
  [[nodiscard]] std::vector<Series> series() const;

  /// The planned points, with the paths of their series; measured ones without a sample become
  /// skipped for `reason`, failed when their data were wrong.
  [[nodiscard]] std::vector<PlannedPoint> points(const std::string& reason) const;

  /// How well the medians are known inside this launch: the largest half-width of any of them,
  /// 1.96 standard errors (median_error) as a share of the median. Numbers of
  /// other suites are not asked. nullopt while another point that is to be measured cannot tell.
  [[nodiscard]] std::optional<double> widest_within() const;

 private:
  std::vector<PlannedPoint> points_;
  std::vector<Series> series_;
};

/// How many of the first epochs of a launch were slower than it settled at: pages, caches,
/// connections and clock frequency take a moment. The medians of all points' blocks, each as the
/// logarithm of its ratio to the Hodges-Lehmann centre of the point's blocks in the second half of
/// the launch, are pooled by epoch; an epoch is warm-up while its median is above zero by more than
/// five robust standard deviations (1.4826 MAD) of the epochs of the second half, and by more than
/// one per cent. At most the first half is warm-up; none in a launch of fewer than eight epochs,
/// where there is no telling. Disturbed blocks are not asked.
int warm_up_epochs(const std::vector<Series>& series);

/// A block is undisturbed when its control took at most this much longer than the shortest control
/// of the same point in the same launch. Frequencies wander by a few percent; a busy sibling thread
/// makes the control 1.5 to 2 times longer.
inline constexpr double undisturbed_limit = 1.1;

/// For each block whether its samples count: it is no warm-up, and among those that are none it was
/// undisturbed. Being disturbed is decided by the noise probe alone, never by the samples, so that
/// nothing is left out for its own value. All are undisturbed where no control was taken.
std::vector<bool> counted_blocks(const Series& series);

/// The samples of the blocks that count, in the order they were taken; std::logic_error when they
/// were dropped.
std::vector<double> counted_samples(const Series& series);

/// Beyond which a sample is an outlier (Outliers, core/record.hpp) [s]; nullopt for fewer than
/// four.
std::optional<double> outlier_limit(std::span<const double> samples);

/// Number and median of the samples that count, of dropped ones too.
CountedSamples counted(const Series& series);

/// Frees the memory of the samples, and of what blocks say that is in the summary, and keeps what
/// the samples that count come to.
void drop_samples(Series& series);

/// The time of one operation in one launch, as every table, fit and verdict has it [s], > 0: the
/// median of the samples that count, always taken from the samples. The summary
/// that a record stores is not asked: it is what the program that wrote the record made of them.
/// nullopt if the series has a fault (core/faults.hpp), if no sample counts, and where the median
/// is 0: no time passed on the clock, which gives no ratio, no rate and no logarithm.
std::optional<double> launch_median(const Record& record, const Series& series);

/// Why a series has no launch median; empty where it has one.
std::string why_no_median(const Record& record, const Series& series);

/// What one launch says of one point.
struct LaunchMedian {
  std::size_t launch = 0;             ///< place of its record among those that were given
  double seconds = 0;                 ///< > 0
  std::optional<std::string> path{};  ///< proven of all of its series

  friend bool operator==(const LaunchMedian&, const LaunchMedian&) = default;
};

/// The launches that have a time of one point, each once: of several series of a point in one
/// launch (repetitions, or pairs that are pooled) the median of their medians counts.
class PointLaunches {
 public:
  void add(std::size_t launch, double seconds, const std::optional<std::string>& path = {});

  /// In the order of launches.
  [[nodiscard]] std::vector<LaunchMedian> medians() const;
  /// The times of `medians()` [s].
  [[nodiscard]] std::vector<double> seconds() const;

 private:
  std::vector<LaunchMedian> series_;  ///< each by itself
};

/// The times [s] of some launch medians.
std::vector<double> seconds_of(std::span<const LaunchMedian> medians);

/// The time of one of the launches [s]; nullopt where it has none. `medians` are in order.
std::optional<double> seconds_in(std::span<const LaunchMedian> medians, std::size_t launch);

/// `times` / `references` of every launch that has both, in the order of launches.
std::vector<double> launch_ratios(std::span<const LaunchMedian> times,
                                  std::span<const LaunchMedian> references);

/// One series of a complete launch, and its launch median.
struct TimedSeries {
  std::size_t launch = 0;          ///< place of the record among those that were given
  const Record* record = nullptr;  ///< never null
  const Series* series = nullptr;  ///< never null, one of the record
  double seconds = 0;              ///< > 0

  /// The setting of the campaign; empty outside campaigns.
  [[nodiscard]] std::string setting() const;
};

/// What some records say of times.
struct TimedRecords {
  std::vector<TimedSeries> series;      ///< in the order of records, then of their series
  std::size_t records_used = 0;         ///< complete launches
  std::size_t records_left_out = 0;     ///< interrupted or failed ones
  std::size_t series_without_time = 0;  ///< of complete launches, without a launch median
};

/// Every series of complete launches that has a launch median. The records must outlive the result.
TimedRecords timed_series(std::span<const Record> records);

}  // namespace hockney
