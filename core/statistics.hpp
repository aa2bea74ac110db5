#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hockney {

// Samples that are not finite are an InputError in every function below.

inline constexpr double default_level = 0.95;  ///< of intervals

/// A closed interval of plausible values, with the coverage it really has (at least the one asked
/// for).
struct Interval {
  double low{};
  double high{};
  double level{};  ///< achieved coverage probability, as a fraction of 1

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Sample quantile by linear interpolation of the order statistics (Hyndman and Fan 1996, type 7).
/// nullopt for no samples; InputError when q is outside [0, 1].
std::optional<double> quantile(std::span<const double> samples, double q);

/// quantile 0.5.
std::optional<double> median(std::span<const double> samples);

/// The median where there are samples by construction; std::logic_error when there are none.
double median_of_some(std::span<const double> samples);

/// Median distance from the median, unscaled (1.4826 times it estimates a normal standard
/// deviation).
std::optional<double> median_absolute_deviation(std::span<const double> samples);

/// Exact interval for quantile q from order statistics of independent samples: [x(l), x(u)] with
/// the largest l such that P(Bin(n,q) <= l-1) <= (1-level)/2 and the smallest u such that
/// P(Bin(n,q) <= u-1) >= (1+level)/2. nullopt when n is too small for both ends to exist;
/// InputError when q or level is outside (0, 1).
std::optional<Interval> quantile_interval(std::span<const double> samples, double q = 0.5,
                                          double level = default_level);

/// The smallest n for which quantile_interval exists: 6 for the median at 95 %.
std::size_t samples_for_interval(double q = 0.5, double level = default_level);

/// Median of the Walsh averages (x_i + x_j)/2, i <= j: the centre of a symmetric distribution.
std::optional<double> hodges_lehmann(std::span<const double> samples);

/// Median of all differences x_i - y_j: the shift from `reference` to `samples`.
std::optional<double> hodges_lehmann_shift(std::span<const double> samples,
                                           std::span<const double> reference);

/// How many independent samples the series is worth: n / tau with tau = 1 + 2 sum rho_k, rho the
/// autocorrelation of the ranks, summed by Geyer's initial positive sequence. nullopt for n < 4;
/// a constant series is worth n, and none is worth more than n or less than 1.
std::optional<double> effective_sample_size(std::span<const double> samples);

/// Standard error of the median of a series with autocorrelation, in its units: half the distance
/// between the quantiles at 1/2 -+ 1/(2 sqrt(n_eff)), one standard deviation of a binomial rank to
/// each side (Woodruff 1952), with n_eff = effective_sample_size. nullopt where that is.
std::optional<double> median_error(std::span<const double> samples);

/// How many independent samples bound quantile q from above at a level: the smallest n with
/// q^n <= 1 - level; 299 for p99 at 95 %. InputError when q or level is outside (0, 1).
std::size_t samples_for_upper_bound(double q, double level = default_level);

/// The samples in ascending order; InputError when one of them is not a finite number, because no
/// order statistic of such samples means anything.
std::vector<double> sorted_finite(std::span<const double> samples);

}  // namespace hockney
