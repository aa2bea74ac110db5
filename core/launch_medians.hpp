#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace hockney {

/// The time of one operation in one launch, as every table, fit and verdict has it [s], > 0: the
/// median of the samples that count (core/samples.hpp), always taken from the samples. The summary
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
