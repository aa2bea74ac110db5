#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace hockney {

/// Standard deviation of a normal distribution as a multiple of its median absolute deviation.
inline constexpr double deviations_per_mad = 1.482602218505602;

/// Median of at least one finite value in O(n), without a copy: reorders them. For inner loops;
/// median() checks its input.
inline double quick_median(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

/// Robust standard deviation about 0 of at least one value: 1.4826 times the median absolute value.
inline double robust_deviation(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return deviations_per_mad * quick_median(values);
}

/// Factor that corrects the bias of a MAD of n values (Croux and Rousseeuw 1992).
inline double small_sample_factor(std::size_t n) {
  return static_cast<double>(n) / (static_cast<double>(n) - 0.8);
}

/// Shuffles by Fisher and Yates. Equal 64-bit numbers from `random` give the same order on every
/// machine. std::shuffle and std::uniform_int_distribution differ between standard libraries, so
/// that ranks of a mixed cluster would have different orders. The bias of the remainder is below
/// 2^-40 for up to 2^24 items.
template <class Items, class Engine>
void shuffle(Items& items, Engine& random) {
  static_assert(Engine::max() == UINT64_MAX);
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random() % left]);
  }
}

/// Arithmetic mean of at least one value, in the values' units.
double sample_mean(std::span<const double> values);

/// Variance of at least two values with n - 1 in the denominator, in the values' units squared.
double sample_variance(std::span<const double> values);

/// 0 to count - 1 in random order.
template <class Engine>
std::vector<std::size_t> random_order(std::size_t count, Engine& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  return order;
}

/// An edge between two vertices by index.
struct Edge {
  std::size_t a = 0;
  std::size_t b = 0;
};

/// Whether each connected part of the graph of `vertices` has a cycle of odd length. If and only if
/// it does, sums x[a] + x[b] known for all edges determine every x. A part without one has two
/// sides: a constant added to one side can be subtracted from the other.
bool every_part_has_an_odd_cycle(std::span<const Edge> edges, std::size_t vertices);

/// The order statistics of all sums of two numbers, each found by bisection over the doubles
/// themselves: exact, without storing the sums. Hodges-Lehmann estimates and the intervals of rank
/// tests use them.
class OrderedSums {
 public:
  /// All n(n+1)/2 sums x_i + x_j, i <= j: twice the Walsh averages. InputError for a sample that is
  /// not finite, here and below.
  static OrderedSums within(std::span<const double> samples);
  /// All n m differences x_i - y_j.
  static OrderedSums between(std::span<const double> samples, std::span<const double> reference);

  /// Number of sums.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The sum of this rank in ascending order, from 1 to size().
  [[nodiscard]] double at_rank(std::size_t rank) const;
  /// nullopt if there are no sums.
  [[nodiscard]] std::optional<double> median() const;

 private:
  enum class Pairs { ordered, all };  ///< i <= j of one set, or all of two

  OrderedSums(std::vector<double> a, std::vector<double> b, Pairs pairs);
  [[nodiscard]] std::size_t count_up_to(double limit) const;

  std::vector<double> a_;  ///< ascending
  std::vector<double> b_;  ///< ascending
  Pairs pairs_;
  std::size_t size_ = 0;
};

// All functions below throw an InputError for samples that are not finite.

inline constexpr double default_level = 0.95;  ///< of intervals
/// Half-width of a good interval where nothing else is asked for, as a share of its median.
inline constexpr double default_precision = 0.05;

/// A closed interval of plausible values, with its real coverage, which is at least the requested
/// one.
struct Interval {
  double low{};
  double high{};
  double level{};  ///< achieved coverage probability, as a fraction of 1

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Sample quantile by linear interpolation of the order statistics (Hyndman and Fan 1996, type 7).
/// nullopt for no samples; InputError when q is outside [0, 1].
std::optional<double> quantile(std::span<const double> samples, double q);

/// The quantile at 0.5.
std::optional<double> median(std::span<const double> samples);

/// The median where the caller guarantees samples; std::logic_error if there are none.
double median_of_some(std::span<const double> samples);

/// Median distance from the median, unscaled (1.4826 times it estimates a normal standard
/// deviation).
std::optional<double> median_absolute_deviation(std::span<const double> samples);

/// Exact interval for quantile q from order statistics of independent samples: [x(l), x(u)]. l is
/// the largest with P(Bin(n,q) <= l-1) <= (1-level)/2, and u the smallest with P(Bin(n,q) <= u-1)
/// >= (1+level)/2. nullopt if n is too small for both ends; InputError if q or level is outside (0,
/// 1).
std::optional<Interval> quantile_interval(std::span<const double> samples, double q = 0.5,
                                          double level = default_level);

/// The smallest n for which quantile_interval exists: 6 for the median at 95 %.
std::size_t samples_for_interval(double q = 0.5, double level = default_level);

/// Median of the Walsh averages (x_i + x_j)/2, i <= j: the centre of a symmetric distribution.
std::optional<double> hodges_lehmann(std::span<const double> samples);

/// Median of all differences x_i - y_j: the shift from `reference` to `samples`.
std::optional<double> hodges_lehmann_shift(std::span<const double> samples,
                                           std::span<const double> reference);

/// Number of independent samples with the same information: n / tau with tau = 1 + 2 sum rho_k. rho
/// is the autocorrelation of the ranks, summed by Geyer's initial positive sequence. The result is
/// from 1 to n, and n for a constant series; nullopt for n < 4.
std::optional<double> effective_sample_size(std::span<const double> samples);

/// Standard error of the median of a series with autocorrelation, in the series' units (Woodruff
/// 1952). It is half the distance between the quantiles at 1/2 -+ 1/(2 sqrt(n_eff)), one standard
/// deviation of a binomial rank to each side. n_eff is effective_sample_size; nullopt if that is.
std::optional<double> median_error(std::span<const double> samples);

/// Number of independent samples that bound quantile q from above at a level: the smallest n with
/// q^n <= 1 - level, 299 for p99 at 95 %. InputError if q or level is outside (0, 1).
std::size_t samples_for_upper_bound(double q, double level = default_level);

/// The samples in ascending order. InputError if one is not finite: order statistics would then be
/// meaningless.
std::vector<double> sorted_finite(std::span<const double> samples);

}  // namespace hockney
