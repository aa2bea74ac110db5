#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/samples.hpp"

namespace hockney::report {

/// One point of a campaign over all its launches.
struct Row {
  Point point;                                   ///< `path` is set if all launches agree
  std::string setting;                           ///< empty outside campaigns
  std::map<std::string, std::string> axes;       ///< of a sweep: the setting's value on each axis
  std::vector<std::size_t> records;              ///< indices of records that planned the point
  std::vector<LaunchMedian> launches;            ///< those with a time of the point
  std::optional<double> median_seconds;          ///< median of the launch medians
  std::optional<Interval> interval_seconds;      ///< exact, over launches; needs six
  std::optional<double> mean_seconds;            ///< of all samples of all launches, as OMB's
  std::optional<double> min_seconds;             ///< of all samples
  std::optional<double> max_seconds;             ///< of all samples
  std::int64_t operations = 0;                   ///< timed in these samples
  std::int64_t bytes_per_sample = 0;             ///< bytes counted for bandwidth [B]
  std::optional<double> bus_bytes_per_sample;    ///< of the busiest rank [B]
  std::optional<double> skew_seconds;            ///< of the ranks' starts, median over launches
  std::optional<double> shortest_local_seconds;  ///< of the ranks' own times, median over launches
  std::optional<double> longest_local_seconds;
  std::optional<double> page_faults;    ///< of one operation, median over launches
  std::int64_t deliveries_checked = 0;  ///< of all launches; 0 without data, or unknown
  int blocks = 0;                       ///< of all launches
  int warm_up_blocks = 0;               ///< number of warm-up blocks
  int undisturbed_blocks = 0;           ///< number of blocks that count (core/samples.hpp)
  std::size_t samples = 0;              ///< counted samples of all launches
  int outliers = 0;                     ///< samples beyond Q3 + 3 IQR (core/record.hpp)
  TailQuantiles tails;                  ///< medians over launches; set if all launches have them
  std::vector<std::string> flags;       ///< of any launch
  std::vector<std::string> paths;  ///< proven in its launches, each once; may include "unproven"
  std::string unproven_because;    ///< from a launch without a proven path; else empty
  std::string reason;              ///< reason for no time in any launch; else empty

  /// The interval; with fewer launches their range, level 1; nullopt for one launch.
  [[nodiscard]] std::optional<Interval> spread_seconds() const;
  /// bytes_per_sample / median [B/s]; nullopt without a median or without bytes.
  [[nodiscard]] std::optional<BytesPerSecond> bandwidth() const;
  /// bus_bytes_per_sample / median [B/s]; nullopt as of bandwidth().
  [[nodiscard]] std::optional<BytesPerSecond> bus_bandwidth() const;
};

/// "setting eager=4K  pingpong ranks=2", escaped: the head of the table of a curve.
std::string curve_title(const Row& row);

/// Whether two rows are points of one curve under one setting.
bool same_curve(const Row& a, const Row& b);

/// Calls `use` with a span of the items of each curve, which must be adjacent. `row_of` returns the
/// row of an item.
template <class Item, class RowOf, class Use>
void for_each_curve(const std::vector<Item>& items, RowOf row_of, Use use) {
  for (auto first = items.begin(); first != items.end();) {
    const auto last = std::find_if_not(first, items.end(), [&](const Item& item) {
      return same_curve(std::invoke(row_of, *first), std::invoke(row_of, item));
    });
    use(std::span<const Item>(first, last));
    first = last;
  }
}

/// A row for every planned point, ordered by setting, curve (in order of appearance) and bytes.
/// Intervals of the medians over launches are at `level`. Only complete launches count.
std::vector<Row> campaign_rows(std::span<const Record> records, double level = default_level);

/// The rows of each complete launch alone, in the order of the records.
std::vector<Row> launch_rows(std::span<const Record> records);

/// A point timed as another suite times it.
struct SuiteTime {
  std::string suite;
  Row row;
  std::vector<double> ratios;              ///< suite / hockney, one for each launch with both times
  std::optional<double> ratio;             ///< median of these
  std::optional<Interval> ratio_interval;  ///< exact, over launches; needs six
};

/// One point of a campaign with hockney's time and other suites' times.
struct TimingRow {
  Row own;  ///< hockney's
  std::vector<SuiteTime> suites;
};

/// The rows of a campaign, split by whether two kinds of timing exist.
struct TimedRows {
  std::vector<Row> alone;           ///< of curves with one kind of timing only
  std::vector<TimingRow> compared;  ///< of curves with both kinds
};

/// Groups the different timings of each point; order and rows as of campaign_rows, intervals at
/// `level`. Ratios are paired by launch, so effects common to a launch cancel.
TimedRows timed_rows(const std::vector<Row>& rows, double level = default_level);

/// A point beside the machine's floors without MPI, in the same launches.
struct PathRow {
  Row mpi;
  std::optional<double> line_seconds;         ///< one cache line to the other rank
  std::optional<double> memcpy_seconds;       ///< copies through shared memory
  std::optional<double> process_vm_seconds;   ///< one copy from process to process
  std::vector<double> multiples;              ///< MPI / the floor of its path, one for each launch
  std::optional<double> multiple;             ///< median of these
  std::optional<Interval> multiple_interval;  ///< exact, over launches; needs six
};

/// Rows, split by whether floors exist.
struct PathRows {
  std::vector<Row> alone;         ///< of curves without floors
  std::vector<PathRow> compared;  ///< of curves with floors, which are part of these
};

/// Whether the point is a floor: a time of the machine without MPI.
bool is_floor(const Point& point);

/// Pairs each row with the floors of its setting, ranks, hop class, pair, cache state and size. A
/// launch is compared with the floor of its path: floor-memcpy for "shm", floor-process-vm for
/// "cma". Multiples are paired by launch, with intervals at `level`.
PathRows path_rows(const std::vector<Row>& rows, double level = default_level);

/// A parameter that describes a disturbance, and its value without one.
struct Disturbance {
  const char* parameter = "";
  const char* none = "";
};

inline constexpr Disturbance met_flows{"flows", "1"};                ///< concurrent messages
inline constexpr Disturbance busy_neighbours{"neighbours", "idle"};  ///< load on other cores
inline constexpr Disturbance other_pages{"pages", "same"};           ///< location of the data

/// A disturbed point beside the same undisturbed, such as concurrent messages beside one alone.
struct DisturbedRow {
  Row met;                              ///< its point has no disturbance parameter
  std::string value;                    ///< of the parameter: number of concurrent messages
  std::optional<double> alone_seconds;  ///< undisturbed
  std::vector<double> factors;          ///< met / alone, one for each launch with both
  std::optional<double> factor;         ///< median of these
  std::optional<Interval> interval;     ///< exact, over launches; needs six
};

/// A row for every point with this disturbance. Factors are paired by launch, with intervals at
/// `level`.
std::vector<DisturbedRow> disturbed_rows(const std::vector<Row>& rows,
                                         const Disturbance& disturbance,
                                         double level = default_level);

/// Overlap of a nonblocking operation with other work.
struct OverlapRow {
  Row both;                            ///< operation with work; its point has no work parameter
  std::string tests;                   ///< number of MPI_Test calls in the work
  std::optional<double> pure_seconds;  ///< of the operation without work
  std::optional<double> work_seconds;  ///< of the work without the operation
  std::vector<double> overlaps;        ///< 1 - (both - work) / pure, one for each launch
  std::optional<double> overlap;     ///< median of these; < 0 if together takes longer than in turn
  std::optional<Interval> interval;  ///< exact, over launches; needs six
};

/// A row for every point measured with work during it. Overlaps use the medians of one launch;
/// intervals are at `level`.
std::vector<OverlapRow> overlap_rows(const std::vector<Row>& rows, double level = default_level);

}  // namespace hockney::report
