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

// Finds points whose launches are in two groups with a gap between, so that a median and its
// interval describe neither. The statistic uses the sorted logarithms of launch medians. It is the
// largest (gap / pooled standard deviation of the two parts) over all splits. Each part has at
// least two launches and a tenth of all.
//
// The null distribution is that of launches of one mode. For 6 to 30 launches its quantiles are the
// largest under normal, Student's t (3), Laplace, exponential and uniform logarithms. Each comes
// from 1,000,000 draws (tests/benchmarks/README.md, mode_calibration). Nearly all of them are those
// of the exponential distribution, the most skewed. Beyond p = 1e-4 the last two quantiles are
// extrapolated, which overstates p.
//
// The points of a campaign are corrected by Holm, which allows any dependence. So at most alpha of
// the campaigns with one mode have any point reported with two. Launches must be independent.

/// Fewest launches that can show two modes.
inline constexpr std::size_t fewest_launches_of_modes = 6;

/// Modes nearer than this ratio count as one even if p is small: the interval describes them well.
inline constexpr double least_mode_ratio = 1.1;

struct LaunchModes {
  double low_seconds = 0;     ///< median of the faster launches
  double high_seconds = 0;    ///< median of the slower ones
  std::vector<bool> is_high;  ///< for each launch, in the given order
  double p_adjusted = 1;      ///< corrected for all points

  [[nodiscard]] std::size_t high_launches() const;
  [[nodiscard]] std::size_t low_launches() const { return is_high.size() - high_launches(); }
};

/// The statistic of logarithms, and the number of them below the gap. nullopt for fewer than
/// fewest_launches_of_modes.
struct LargestGap {
  double statistic = 0;
  std::size_t below = 0;
};
std::optional<LargestGap> largest_gap(std::span<const double> logarithms);

/// An upper bound of p for a statistic of this number of launches; 1 above 0.05. More than 30
/// launches count as 30, which require larger gaps.
double mode_p(std::size_t launches, double statistic);

/// The two modes of each point, from its launch medians [s]. nullopt for one mode, too few
/// launches, or a time that is not positive.
std::vector<std::optional<LaunchModes>> find_modes(std::span<const std::vector<double>> points,
                                                   double alpha = 0.05);

/// Values taken under the same conditions.
struct ValueGroup {
  double count = 0;
  double mean = 0;
  double squares = 0;       ///< sum of squares about the mean
  std::vector<int> levels;  ///< for each factor, the index of its level (>= 0)
};

/// Variances of independent random effects that add up to the values: one for each factor, then one
/// for the values within a group. The estimate is MINQUE(0) (Rao 1971; Hartley, Rao and LaMotte
/// 1978). It is unbiased for any distribution, for nested or crossed factors, and for any number of
/// values per level. In a balanced nested design it equals the analysis of variance. An estimate is
/// below 0 if the values vary less than by chance alone. Empty if the factors cannot be separated.
/// This needs two factors with equal levels, one with a single level, or one whose levels are
/// groups of one value each.
std::vector<double> variance_components(std::span<const ValueGroup> groups, std::size_t factors);

/// Causes of different times of one operation, from calls to days.
enum class Cause {
  repetition,  ///< calls of one measurement block
  block,       ///< blocks of one launch
  launch,      ///< launches of one job, also at one place
  place,       ///< pairs of nodes, or of ranks where all are on the same nodes
  job,         ///< jobs of one day
  day
};

constexpr auto words_of(std::type_identity<Cause>) {
  return std::to_array<std::string_view>(
      {"repetitions", "blocks", "launches", "places", "jobs", "days"});
}

/// Share of a cause in the variance.
struct CauseShare {
  Cause cause = Cause::repetition;
  double share = 0;                    ///< 0 to 1
  std::optional<Interval> interval{};  ///< nullopt with fewer than six of the outermost units
};

/// Causes of the spread of one point's times.
struct VarianceSplit {
  Point point;          ///< without pair, path and algorithm
  std::string setting;  ///< of the campaign
  std::size_t launches = 0;
  double spread = 0;               ///< standard deviation of one call's time, relative to it
  std::vector<CauseShare> shares;  ///< for the separable causes, in order of Cause
  std::vector<Cause> untold;       ///< causes with one unit, or the same units as a finer one
};

/// Splits the variance of the logarithm of the counted times (core/samples.hpp), for every point of
/// complete launches with samples. A launch belongs to the job in its environment (SLURM_JOB_ID)
/// and to its start day (UTC). Intervals come from a jackknife on the arcsine of the root of the
/// share. It leaves out one day at a time; with fewer than six days one job, with fewer than six
/// jobs one launch. With known shares, the intervals at 95 % cover them in 88 to 97 % of cases
/// (tests/verdicts/variability_test.cpp). Points whose variances cannot be separated are left out.
std::vector<VarianceSplit> split_variance(std::span<const Record> records);

}  // namespace hockney::verdicts
