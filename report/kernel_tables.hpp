#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "report/rows.hpp"

namespace hockney::report {

/// Parameter of a kernel's point: how its data travel.
inline constexpr const char* way_parameter = "way";

/// Whether the point belongs to a kernel, which computes between its messages.
bool is_of_kernel(const Point& point);

/// Unit of replication for intervals.
enum class Replicate {
  block,  ///< of one launch: intervals are within the launch
  launch,
  simulation  ///< deterministic: no interval
};

/// Median of the replicates. The interval is exact and needs six replicates.
struct Estimate {
  std::optional<double> value;
  std::optional<Interval> interval;
};

/// Times of one point [s], by the number of the replicate.
using Replicates = std::map<std::size_t, double>;

/// One way of communicating; times are per iteration.
struct KernelWay {
  std::string way;
  std::map<std::string, Replicates> works;  ///< "none", "alone", "after", "during"
  std::string best;     ///< the faster one of "after" and "during"; may be empty
  Estimate seconds;     ///< of the best
  Estimate to_fastest;  ///< / the time of the fastest way
  Estimate in_mpi;      ///< 1 - alone / after
  Estimate won;         ///< by overlap: 1 - during / after
  Estimate balance;     ///< none / alone: above 1 messages take longer
  std::string reason;   ///< reason for no time; else empty
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

/// The points of kernels in the records, in order of appearance; `rows` are the campaign_rows of
/// `records`. If a setting has a single launch with samples, its counted blocks are the replicates.
/// Ratios are between times of one replicate.
std::vector<KernelPoint> kernel_points(std::span<const Row> rows, std::span<const Record> records,
                                       double level = default_level);

/// The same, computing the rows.
inline std::vector<KernelPoint> kernel_points(std::span<const Record> records,
                                              double level = default_level) {
  return kernel_points(campaign_rows(records, level), records, level);
}

/// Bound of a point: "communication" if the messages of its fastest way take longer than computing,
/// "computing" if shorter. Empty if neither is shown.
std::string bound_of(const KernelPoint& point);

/// Summary of the kernels of a launch or campaign. For each point: the fastest way, MPI's share of
/// the time, the gain by overlap, and the bound. At the end the points between which the bound
/// changes from communication to computing. Empty without kernels.
std::vector<std::string> kernel_answer(std::span<const KernelPoint> points);

/// An object for each way at each point.
nlohmann::json kernels_list(std::span<const KernelPoint> points);

/// Prints kernel_answer(), then all ways at each point.
void print_kernel_tables(std::ostream& out, std::span<const KernelPoint> points);

}  // namespace hockney::report
