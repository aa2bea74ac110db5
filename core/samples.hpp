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

/// The samples of one point in one block of an epoch. After the last epoch a block without samples
/// carries the result of the data check. A block whose clock jumped carries only its flag.
struct MeasurementBlock {
  std::size_t point = 0;  ///< index into the record's planned points
  std::int64_t batch = 1;
  std::vector<double> samples_seconds;
  std::optional<double> started_seconds;      ///< since measuring began [s]
  std::optional<double> skew_seconds;         ///< between the starts of the first and the last rank
                                              ///< [s]
  std::vector<double> locals_seconds;         ///< of each rank, start to end [s]; on request
  int late_starts = 0;                        ///< missed by some rank and repeated
  std::optional<double> noise_probe_seconds;  ///< of the slowest rank, before or after the block
                                              ///< [s]
  std::optional<double> page_faults;          ///< of one operation, on the rank with the most
  std::optional<Transport> transport;         ///< of its messages, if counters exist
  std::int64_t deliveries_checked = 0;        ///< iterations whose data were compared
  bool is_check = false;                      ///< a data check without timing
  std::vector<std::string> flags;

  friend bool operator==(const MeasurementBlock&, const MeasurementBlock&) = default;
};

/// Reason of a point whose turn never came, before the cause that ended the launch.
inline constexpr std::string_view not_reached_reason = "it was not reached before ";

/// Collects blocks, whose points may come in any order, into one series per point.
class SampleStore {
 public:
  explicit SampleStore(std::vector<PlannedPoint> points);

  void add(const MeasurementBlock& block);

  /// The series of every point that has samples, in order of points, with summaries and proven
  /// paths.
  [[nodiscard]] std::vector<Series> series() const;

  /// The planned points, with the proven paths of their series. Points without a sample become
  /// skipped for `reason`, or failed if their data were wrong.
  [[nodiscard]] std::vector<PlannedPoint> points(const std::string& reason) const;

  /// Precision of the medians inside this launch: the largest half-width of any of them, 1.96
  /// standard errors (median_error) as a share of the median. Points timed as another suite are
  /// left out. nullopt if any other point to be measured has too few samples.
  [[nodiscard]] std::optional<double> widest_within() const;

 private:
  std::vector<PlannedPoint> points_;
  std::vector<Series> series_;
};

/// Number of epochs at the start that were slower than the launch later became: pages, caches,
/// connections and clock frequency need time. Each block's median is taken as the logarithm of its
/// ratio to a centre: the Hodges-Lehmann estimate of the point's blocks in the second half of the
/// launch. The median over all points is the level of an epoch.
///
/// An epoch is warm-up as long as its level exceeds zero by more than 1 % and by more than five
/// robust standard deviations (1.4826 MAD) of the levels in the second half. At most the first half
/// is warm-up, and none in a launch of fewer than eight epochs. Disturbed blocks are left out.
int warm_up_epochs(const std::vector<Series>& series);

/// A block is undisturbed if its noise probe took at most this many times the shortest noise probe
/// of the same point in the same launch. Frequencies vary by a few percent; a busy sibling thread
/// lengthens the probe by a factor of 1.5 to 2.
inline constexpr double undisturbed_limit = 1.1;

/// For each block, whether its samples count: it is no warm-up and it is undisturbed. The noise
/// probe alone decides about disturbance, never the samples, so that no sample is left out for its
/// own value. Without noise probes all blocks are undisturbed. The shortest probe is that of blocks
/// after warm-up.
std::vector<bool> counted_blocks(const Series& series);

/// The samples of the blocks that count, in the order of measuring; std::logic_error if they were
/// dropped.
std::vector<double> counted_samples(const Series& series);

/// Limit above which a sample is an outlier (Outliers, core/record.hpp) [s]; nullopt for fewer than
/// four samples.
std::optional<double> outlier_limit(std::span<const double> samples);

/// Number and median of the samples that count, also after drop_samples.
CountedSamples counted(const Series& series);

/// Mean of all samples, disturbed ones too, also after drop_samples; nullopt without samples.
std::optional<double> mean_of_all(const Series& series);

/// Frees the memory of the samples and of those block data that the summary contains. Adds mean,
/// minimum and maximum to the summary of an older version that lacks them. Keeps the number and
/// median of the samples that count.
void drop_samples(Series& series);

/// The time of one operation in one launch [s], > 0: the median of the samples that count. Every
/// table, fit and verdict uses it. It is recomputed from the samples, not read from the record's
/// summary, which may come from another version. nullopt if:
/// - the series has a fault (core/faults.hpp);
/// - no sample counts;
/// - the median is 0, which gives no ratio, rate or logarithm.
std::optional<double> launch_median(const Record& record, const Series& series);

/// Why a series has no launch median; empty if it has one.
std::string why_no_median(const Record& record, const Series& series);

/// The time of one point in one launch.
struct LaunchMedian {
  std::size_t launch = 0;             ///< index of its record among the given ones
  double seconds = 0;                 ///< > 0
  std::optional<std::string> path{};  ///< proven for all of its series

  friend bool operator==(const LaunchMedian&, const LaunchMedian&) = default;
};

/// The launches that have a time of one point, each once. If a launch has several series of the
/// point (repetitions, or pooled pairs), the median of their medians counts.
class PointLaunches {
 public:
  void add(std::size_t launch, double seconds, const std::optional<std::string>& path = {});

  /// In the order of launches.
  [[nodiscard]] std::vector<LaunchMedian> medians() const;
  /// The times of `medians()` [s].
  [[nodiscard]] std::vector<double> seconds() const;

 private:
  std::vector<LaunchMedian> series_;  ///< one for each series
};

/// The times [s] of some launch medians.
std::vector<double> seconds_of(std::span<const LaunchMedian> medians);

/// The time in launch `launch` [s]; nullopt if it has none. `medians` must be in order of launches.
std::optional<double> seconds_in(std::span<const LaunchMedian> medians, std::size_t launch);

/// `times` / `references` of every launch that is in both, in the order of launches.
std::vector<double> launch_ratios(std::span<const LaunchMedian> times,
                                  std::span<const LaunchMedian> references);

/// One series of a complete launch, and its launch median.
struct TimedSeries {
  std::size_t launch = 0;          ///< index of the record among the given ones
  const Record* record = nullptr;  ///< never null
  const Series* series = nullptr;  ///< never null; in the record
  double seconds = 0;              ///< > 0

  /// The setting of the campaign; empty outside campaigns.
  [[nodiscard]] std::string setting() const;
};

/// The series of some records with their launch medians.
struct TimedRecords {
  std::vector<TimedSeries> series;      ///< in the order of records, then of their series
  std::size_t records_used = 0;         ///< complete launches
  std::size_t records_left_out = 0;     ///< interrupted or failed ones
  std::size_t series_without_time = 0;  ///< in complete launches, without a launch median
};

/// Every series of complete launches that has a launch median. The records must outlive the result.
TimedRecords timed_series(std::span<const Record> records);

}  // namespace hockney
