#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/rows.hpp"

namespace hockney::report {

/// The parameter of a kernel's point that says how its data travel.
inline constexpr const char* way_parameter = "way";

/// Whether the point is one of a kernel, which computes between its messages.
bool is_of_kernel(const Point& point);

/// What is repeated, and told apart by intervals.
enum class Replicate {
  block,  ///< of one launch: intervals hold inside it
  launch,
  simulation  ///< which says the same each time, and needs no interval
};

/// The median of some replicates, and its interval: exact, needs six.
struct Estimate {
  std::optional<double> value;
  std::optional<Interval> interval;
};

/// Times of one point [s], by the number of the replicate.
using Replicates = std::map<std::size_t, double>;

/// One way of communicating. A time is that of one iteration.
struct KernelWay {
  std::string way;
  std::map<std::string, Replicates> works;  ///< "none", "alone", "after", "during"
  std::string best;                         ///< of "after" and "during" the faster; may be empty
  Estimate seconds;                         ///< of the best
  Estimate to_fastest;                      ///< / the time of the fastest way
  Estimate in_mpi;                          ///< 1 - alone / after
  Estimate won;                             ///< by overlap: 1 - during / after
  Estimate balance;                         ///< none / alone: above 1 messages take longer
  std::string reason;                       ///< why there is no time; empty where there is
};

/// All ways at one point.
struct KernelPoint {
  std::string setting;
  Point point;  ///< without way and work
  Replicate replicate = Replicate::launch;
  std::vector<KernelWay> ways;  ///< in order of appearance
  std::optional<std::size_t> fastest;

  [[nodiscard]] const KernelWay* fastest_way() const { return fastest ? &ways[*fastest] : nullptr; }
};

/// The points of kernels in some records, in order of appearance; `rows` are the campaign_rows of
/// the records. Where a setting has one launch, with its samples, the replicates are its blocks
/// that count. Ratios are of times of one replicate.
std::vector<KernelPoint> kernel_points(std::span<const Row> rows, std::span<const Record> records,
                                       double level = default_level);

/// The same of records without their rows.
inline std::vector<KernelPoint> kernel_points(std::span<const Record> records,
                                              double level = default_level) {
  return kernel_points(campaign_rows(records, level), records, level);
}

/// What bounds a point: "communication" where the messages of its fastest way take longer than
/// computing, "computing" the other way round; empty where the interval, or a simulation, does not
/// tell.
std::string bound_of(const KernelPoint& point);

/// What the kernels of a launch or a campaign say, in lines: for each point which way is fastest,
/// how much of the time is MPI's, what overlap wins, and what bounds it; at the end where points
/// turn from bound by communication to bound by computing. No lines without kernels.
std::vector<std::string> kernel_answer(std::span<const KernelPoint> points);

/// The same, and then all ways at each point.
void print_kernel_tables(std::ostream& out, std::span<const KernelPoint> points);

}  // namespace hockney::report
