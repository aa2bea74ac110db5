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
  Point point;                                   ///< with the path that all launches have
  std::string setting;                           ///< empty outside campaigns
  std::map<std::string, std::string> axes;       ///< of a sweep: where on each the setting lies
  std::vector<std::size_t> records;              ///< places of those that planned the point
  std::vector<LaunchMedian> launches;            ///< that have a time of the point
  std::optional<double> median_seconds;          ///< median of the launch medians
  std::optional<Interval> interval_seconds;      ///< exact, over launches; needs six
  std::int64_t bytes_per_sample = 0;             ///< bytes that count for bandwidth [B]
  std::optional<double> bus_bytes_per_sample;    ///< of the busiest rank [B]
  std::optional<double> skew_seconds;            ///< of the ranks' begins, median over launches
  std::optional<double> shortest_local_seconds;  ///< of the ranks' own times, median over launches
  std::optional<double> longest_local_seconds;
  std::optional<double> page_faults;    ///< of one operation, median over launches
  std::int64_t deliveries_checked = 0;  ///< of all launches; 0 without data, or not known
  int blocks = 0;                       ///< of all launches
  int warm_up_blocks = 0;               ///< of these the ones that were warm-up
  int undisturbed_blocks = 0;           ///< of these the ones that count (core/samples.hpp)
  std::size_t samples = 0;              ///< that count, of all launches
  int outliers = 0;                     ///< of these the ones beyond Q3 + 3 IQR (core/record.hpp)
  TailQuantiles tails;                  ///< medians over launches, where all launches tell
  std::vector<std::string> flags;       ///< of any launch
  std::vector<std::string> paths;  ///< proven in its launches, each once; "unproven" among them
  std::string unproven_because;    ///< of a launch without a proven path; empty when all have one
  std::string reason;              ///< why no launch has a time of it; empty otherwise

  /// bytes_per_sample / median [B/s]; nullopt without a median or without bytes.
  [[nodiscard]] std::optional<BytesPerSecond> bandwidth() const;
  /// The same of bus_bytes_per_sample.
  [[nodiscard]] std::optional<BytesPerSecond> bus_bandwidth() const;
};

/// "setting eager=4K  pingpong ranks=2", inert: the head of the table of a curve.
std::string curve_title(const Row& row);

/// Whether two rows are points of one curve under one setting.
bool same_curve(const Row& a, const Row& b);

/// Calls `use` with the items of each curve, which stand together, as a span; `row_of` gives the
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

/// A row for every point that was planned, ordered by setting, curve (in order of appearance) and
/// bytes, with intervals of the medians over launches at `level`. Only complete launches count.
std::vector<Row> campaign_rows(std::span<const Record> records, double level = default_level);

/// The same rows of each complete launch by itself, in the order of the records.
std::vector<Row> launch_rows(std::span<const Record> records);

/// A point as another suite would have timed it, beside hockney's own time.
struct SuiteTime {
  std::string suite;
  Row row;
  std::vector<double> ratios;              ///< suite / hockney, one for each launch with both times
  std::optional<double> ratio;             ///< median of these
  std::optional<Interval> ratio_interval;  ///< exact, over launches; needs six
};

/// One point of a campaign and what other suites would have said of it.
struct TimingRow {
  Row own;  ///< hockney's
  std::vector<SuiteTime> suites;
};

/// The rows of a campaign, parted.
struct TimedRows {
  std::vector<Row>
      alone;  ///< of curves that were timed in hockney's way only, or only as another suite would
  std::vector<TimingRow> compared;  ///< of the others
};

/// Rows as campaign_rows makes them and in its order, those of different timings of one point
/// together, with intervals at `level`. Ratios are paired by launch: what a launch does to all of
/// its times cancels out.
TimedRows timed_rows(const std::vector<Row>& rows, double level = default_level);

/// A point beside what its machine can do without MPI, in the same launches.
struct PathRow {
  Row mpi;
  std::optional<double> line_seconds;         ///< a cache line's way to the other rank
  std::optional<double> memcpy_seconds;       ///< through shared memory
  std::optional<double> process_vm_seconds;   ///< one copy from process to process
  std::vector<double> multiples;              ///< MPI / the floor of its path, one for each launch
  std::optional<double> multiple;             ///< median of these
  std::optional<Interval> multiple_interval;  ///< exact, over launches; needs six
};

/// Rows, parted.
struct PathRows {
  std::vector<Row> alone;         ///< of curves without floors
  std::vector<PathRow> compared;  ///< of the others; floors have become parts of these
};

/// Whether the point is what the machine can do without MPI.
bool is_floor(const Point& point);

/// A row has the floors of its setting, ranks, hop class, pair, cache state and size. The floor of
/// a launch is that of the path proven in it: floor-memcpy for "shm", floor-process-vm for "cma".
/// Multiples are paired by launch, with intervals at `level`.
PathRows path_rows(const std::vector<Row>& rows, double level = default_level);

/// A parameter that says what else goes on, and its value when nothing does.
struct Disturbance {
  const char* parameter = "";
  const char* none = "";
};

inline constexpr Disturbance met_flows{"flows", "1"};                ///< messages that meet
inline constexpr Disturbance busy_neighbours{"neighbours", "idle"};  ///< what else cores do
inline constexpr Disturbance other_pages{"pages", "same"};           ///< where data are

/// A point beside the same undisturbed, such as messages that met beside one alone.
struct DisturbedRow {
  Row met;                              ///< its point is without the parameter
  std::string value;                    ///< of the parameter: how many messages met
  std::optional<double> alone_seconds;  ///< undisturbed
  std::vector<double> factors;          ///< met / alone, one for each launch with both
  std::optional<double> factor;         ///< median of these
  std::optional<Interval> interval;     ///< exact, over launches; needs six
};

/// A row for every point that is disturbed in this way. Factors are paired by launch, with
/// intervals at `level`.
std::vector<DisturbedRow> disturbed_rows(const std::vector<Row>& rows,
                                         const Disturbance& disturbance,
                                         double level = default_level);

/// How much of a nonblocking operation goes on beside other work.
struct OverlapRow {
  Row both;                            ///< operation and work at once; its point is without work
  std::string tests;                   ///< calls of MPI_Test in the work
  std::optional<double> pure_seconds;  ///< of the operation without work
  std::optional<double> work_seconds;  ///< of the work without the operation
  std::vector<double> overlaps;        ///< 1 - (both - work) / pure, one for each launch
  std::optional<double> overlap;       ///< median of these; as it is: below 0 where both at once
                                       ///< take longer than one after the other
  std::optional<Interval> interval;    ///< exact, over launches; needs six
};

/// A row for every point that was measured with work during it. Overlaps are of the medians of one
/// launch, with intervals at `level`.
std::vector<OverlapRow> overlap_rows(const std::vector<Row>& rows, double level = default_level);

}  // namespace hockney::report
