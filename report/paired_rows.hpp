#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/rows.hpp"

namespace hockney::report {

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
