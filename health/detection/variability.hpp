#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/statistics.hpp"

namespace hockney::health {

/// A figure that is tracked like any series, with its interval where there is one.
struct Figure {
  double value = 0;
  std::optional<Interval> interval;
  std::size_t launches = 0;  ///< of the smaller side, where there are two
};

/// Run-to-run spread of one night: the median distance between two launches over 0.9539 (its value
/// for a normal distribution of standard deviation 1), on logarithms: a robust coefficient of
/// variation [ratio]. Interval: order statistics of the distances of disjoint pairs of launches,
/// exact for any distribution, from 12 launches on. nullopt for fewer than 3 launches; InputError
/// for times that are not positive and finite, here and in congestion_factor().
std::optional<Figure> run_to_run_spread(std::span<const double> launch_seconds);

/// Samples of one launch, and how many of them are outliers (beyond Q3 + 3 IQR: core/record.hpp).
struct LaunchOutliers {
  std::size_t outliers = 0;
  std::size_t samples = 0;
};

/// Fraction of samples that are outliers: median over launches with its order-statistic interval.
/// nullopt without launches that have samples; InputError for more outliers than samples.
std::optional<Figure> outlier_rate(std::span<const LaunchOutliers> launches);

/// How many times longer under load: exp of the Hodges-Lehmann shift of the logarithms of launch
/// times (GPCNeT's congestion impact factor, Chunduri et al. 2019), with the interval of Moses.
/// nullopt where one side has no launches. Give medians for the typical victim, p99 for the worst.
std::optional<Figure> congestion_factor(std::span<const double> loaded_seconds,
                                        std::span<const double> idle_seconds);

}  // namespace hockney::health
