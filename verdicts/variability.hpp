#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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

}  // namespace hockney::verdicts
