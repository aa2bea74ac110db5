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

}  // namespace hockney
