#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace hockney::verdicts
