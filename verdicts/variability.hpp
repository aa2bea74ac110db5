#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {

// Whether the launches of a point lie in two places with nothing between, so that a median and its
// interval describe neither. Of the sorted logarithms of launch medians the statistic is the
// largest (gap / pooled standard deviation of the two parts) over all ways to part them that leave
// each part two launches, and a tenth of all. Its null distribution is that of launches of one
// mode: for 6 to 30 launches the largest of its quantiles under normal, Student's t (3), Laplace,
// exponential and uniform logarithms, each from 1,000,000 draws (tests/benchmarks/README.md,
// mode_calibration); nearly everywhere those of the exponential one, the most skewed. Beyond p =
// 1e-4 the last two quantiles are extended, which overstates p. The points of a campaign are
// corrected by Holm, whatever their dependence: at most alpha of the campaigns whose launches have
// one mode have any point with two. Launches must be independent of each other.

/// Launches that it takes to tell two modes apart.
inline constexpr std::size_t fewest_launches_of_modes = 6;

/// Modes that are nearer are none, whatever p says: their interval is a good one.
inline constexpr double least_mode_ratio = 1.1;

struct LaunchModes {
  double low_seconds = 0;     ///< median of the faster launches
  double high_seconds = 0;    ///< median of the slower ones
  std::vector<bool> is_high;  ///< of each launch, in the order in which they were given
  double p_adjusted = 1;      ///< corrected for all points

  [[nodiscard]] std::size_t high_launches() const;
  [[nodiscard]] std::size_t low_launches() const { return is_high.size() - high_launches(); }
};

/// The statistic of some logarithms, and how many of them lie below the gap; nullopt for fewer than
/// fewest_launches_of_modes.
struct LargestGap {
  double statistic = 0;
  std::size_t below = 0;
};
std::optional<LargestGap> largest_gap(std::span<const double> logarithms);

/// An upper bound of the p of a statistic of so many launches; 1 above 0.05. More than 30 count as
/// 30, of which larger gaps are asked.
double mode_p(std::size_t launches, double statistic);

/// For each point, the launch medians [s] of which are given, its two modes; nullopt where it has
/// one, too few launches, or a time that is not above 0.
std::vector<std::optional<LaunchModes>> find_modes(std::span<const std::vector<double>> points,
                                                   double alpha = 0.05);

/// Values that were taken under the same circumstances.
struct ValueGroup {
  double count = 0;
  double mean = 0;
  double squares = 0;       ///< sum of squares about the mean
  std::vector<int> levels;  ///< of each factor, 0 or above: which draw of it the values share
};

/// The variances of independent random effects that add up to the values: of each factor, and last
/// of the values in a group. Estimated by MINQUE(0) (Rao 1971; Hartley, Rao and LaMotte 1978):
/// unbiased whatever the distributions, for factors that are nested or crossed, and however many
/// values each level has; in a balanced nested design the estimates of the analysis of variance.
/// Below 0 where there is less variance than chance alone makes. Empty where the factors cannot be
/// told apart: two that part the values alike, one with a single level, or groups of one value each
/// that are levels of a factor.
std::vector<double> variance_components(std::span<const ValueGroup> groups, std::size_t factors);

/// What makes times of one operation differ, from one call to the next up to from day to day.
enum class Cause {
  repetition,  ///< calls of one measurement block
  block,       ///< blocks of one launch
  launch,      ///< launches of one job, and what they make of one place
  place,       ///< pairs of nodes, or of ranks where all are on the same nodes
  job,         ///< jobs of one day
  day
};

constexpr auto words_of(std::type_identity<Cause>) {
  return std::to_array<std::string_view>(
      {"repetitions", "blocks", "launches", "places", "jobs", "days"});
}

/// How much of the variance a cause has.
struct CauseShare {
  Cause cause = Cause::repetition;
  double share = 0;                    ///< of 1
  std::optional<Interval> interval{};  ///< nullopt for fewer than six of the outermost units
};

/// Where the spread of one point's times comes from.
struct VarianceSplit {
  Point point;          ///< without pair, path and algorithm
  std::string setting;  ///< of the campaign
  std::size_t launches = 0;
  double spread = 0;               ///< standard deviation of one call's time, relative to it
  std::vector<CauseShare> shares;  ///< of the causes that can be told, by Cause
  std::vector<Cause> untold;       ///< causes with one unit, or the same units as a finer one
};

/// Splits the variance of the logarithm of the times that count (core/samples.hpp), of every point
/// of complete launches with their samples. Each launch is of the job that its environment names
/// (SLURM_JOB_ID) and of the day on which it started (UTC). Intervals are jackknifed over the
/// outermost of days, jobs and launches of which there are six or more, on the arcsine of the root
/// of the share: of known truths the intervals at 95 % hold 88 to 97 %
/// (tests/verdicts/variability_test.cpp). Points whose variances cannot be told apart are left out.
std::vector<VarianceSplit> split_variance(std::span<const Record> records);

}  // namespace hockney::verdicts
