#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// What one visit to one point brought: the samples of one epoch, or, after the last one, none but
/// the news how its data fared.
struct Visit {
  std::size_t point = 0;  ///< index into the record's planned points
  std::int64_t batch = 1;
  std::vector<double> samples_seconds;
  std::optional<double> started_seconds;  ///< since measuring began
  std::optional<double> skew_seconds;     ///< between the first and the last rank's begin [s]
  std::vector<double> locals_seconds;     ///< of each rank, begin to end; on request
  int late_starts = 0;                    ///< missed by some rank, and repeated
  std::optional<double> control_seconds;  ///< the slowest rank's control, before or after [s]
  std::optional<double> page_faults;      ///< of one operation, on the rank with the most
  std::optional<Transport> transport;     ///< of its messages, where somebody counts
  std::int64_t deliveries_checked = 0;    ///< iterations whose data were looked at
  bool is_check = false;                  ///< nothing was timed
  std::vector<std::string> flags;

  friend bool operator==(const Visit&, const Visit&) = default;
};

/// Gathers visits, in any order of points, into one series per point.
class SampleStore {
 public:
  explicit SampleStore(std::vector<PlannedPoint> points);

  void add(const Visit& visit);

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

}  // namespace hockney
