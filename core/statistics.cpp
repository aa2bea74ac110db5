#include "core/statistics.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/distributions.hpp"
#include "core/error.hpp"

namespace hockney {

double sample_mean(std::span<const double> values) {
  return boost::math::statistics::mean(values.begin(), values.end());
}

double sample_variance(std::span<const double> values) {
  return boost::math::statistics::sample_variance(values.begin(), values.end());
}

namespace {

enum class Side { unseen, left, right };

Side opposite(Side side) { return side == Side::left ? Side::right : Side::left; }

/// Whether the connected part that contains `start` cannot be coloured with two colours.
bool has_odd_cycle(const std::vector<std::vector<std::size_t>>& neighbours, std::size_t start,
                   std::vector<Side>& side) {
  bool odd = false;
  std::vector<std::size_t> open{start};
  side[start] = Side::left;
  while (!open.empty()) {
    const std::size_t vertex = open.back();
    open.pop_back();
    for (const std::size_t neighbour : neighbours[vertex]) {
      odd = odd || side[neighbour] == side[vertex];
      if (side[neighbour] != Side::unseen) continue;
      side[neighbour] = opposite(side[vertex]);
      open.push_back(neighbour);
    }
  }
  return odd;
}

/// Number of sums a_i + b_j <= limit; both ascending. O(a + b) because the staircase only falls.
std::size_t count_sums(const std::vector<double>& a, const std::vector<double>& b, double limit) {
  std::size_t count = 0;
  std::size_t reach = b.size();
  for (const double value : a) {
    while (reach > 0 && value + b[reach - 1] > limit) --reach;
    count += reach;
  }
  return count;
}

/// Index of a double among all doubles in ascending order: neighbours differ by one.
std::int64_t place_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

double at_place(std::int64_t place) {
  return std::bit_cast<double>(place >= 0 ? place
                                          : std::numeric_limits<std::int64_t>::min() - place);
}

/// Ranks from 1 to n minus their mean (n+1)/2; ties get the mean of their ranks.
std::vector<double> centred_ranks(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_finite(samples);
  const double centre = static_cast<double>(sorted.size() + 1) / 2;
  std::vector<double> ranks;
  ranks.reserve(samples.size());
  for (const double sample : samples) {
    const auto ties = std::ranges::equal_range(sorted, sample);
    const auto before = static_cast<double>(ties.begin() - sorted.begin());
    ranks.push_back(before + static_cast<double>(ties.size() + 1) / 2 - centre);
  }
  return ranks;
}

double autocovariance(const std::vector<double>& ranks, std::size_t lag) {
  const auto shifted = ranks.begin() + static_cast<std::ptrdiff_t>(lag);
  return std::inner_product(shifted, ranks.end(), ranks.begin(), 0.0) /
         static_cast<double>(ranks.size());
}

constexpr std::size_t most_values = 10'000;                       // limit for summing every lag
constexpr std::size_t most_products = most_values * most_values;  // take a tenth of a second

/// Geyer 1992, section 3.3: sums of neighbouring even and odd lags are positive for a reversible
/// chain. The first sum that is not positive, and all later ones, are noise. nullopt if so many
/// lags are positive that summing them would exceed most_products.
std::optional<double> correlation_time(const std::vector<double>& values, double variance) {
  double tau = -1;
  for (std::size_t lag = 0; lag + 1 < values.size(); lag += 2) {
    if (lag * values.size() > most_products) return std::nullopt;
    const double pair = (autocovariance(values, lag) + autocovariance(values, lag + 1)) / variance;
    if (pair <= 0) break;
    tau += 2 * pair;
  }
  return std::clamp(tau, 1.0, static_cast<double>(values.size()));
}

/// Means of equal runs of values, at most `most_values` of them. An incomplete run at the end is
/// left out.
std::vector<double> block_means(const std::vector<double>& values) {
  const std::size_t length = (values.size() + most_values - 1) / most_values;
  std::vector<double> means;
  for (auto run = values.begin(); values.end() - run >= static_cast<std::ptrdiff_t>(length);) {
    const auto end = run + static_cast<std::ptrdiff_t>(length);
    means.push_back(std::accumulate(run, end, 0.0) / static_cast<double>(length));
    run = end;
  }
  return means;
}

/// Tolerance for rounding in the incomplete beta function, which must not shift a rank.
constexpr double rounding = 1e-12;

void require_inside(const char* name, double value) {
  if (value > 0 && value < 1) return;
  throw InputError({fmt::format("{} is {:f}", name, value),
                    "an interval needs it strictly between 0 and 1", "use 0.5 or 0.95"});
}

/// Number of k in 0..n-1 with holds(k), which is true up to some k and false from there on.
template <class Predicate>
std::size_t count_leading(std::size_t n, Predicate holds) {
  std::size_t low = 0;
  std::size_t high = n;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (holds(static_cast<double>(middle))) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The smallest n with chance^n <= tail.
std::size_t draws_until(double chance, double tail) {
  const double draws = std::log(tail) / std::log(chance);
  return static_cast<std::size_t>(std::max(1.0, std::ceil(draws * (1 - rounding))));
}

std::vector<double> finite(std::span<const double> samples) {
  if (!std::ranges::all_of(samples, [](double sample) { return std::isfinite(sample); })) {
    throw InputError({"a sample is not a finite number", "order statistics need finite samples",
                      "measure again or repair the record"});
  }
  return {samples.begin(), samples.end()};
}

}  // namespace

bool every_part_has_an_odd_cycle(std::span<const Edge> edges, std::size_t vertices) {
  std::vector<std::vector<std::size_t>> neighbours(vertices);
  for (const Edge& edge : edges) {
    neighbours[edge.a].push_back(edge.b);
    neighbours[edge.b].push_back(edge.a);
  }
  std::vector<Side> side(vertices, Side::unseen);
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    if (side[vertex] == Side::unseen && !has_odd_cycle(neighbours, vertex, side)) return false;
  }
  return true;
}

OrderedSums::OrderedSums(std::vector<double> a, std::vector<double> b, Pairs pairs)
    : a_(std::move(a)), b_(std::move(b)), pairs_(pairs) {
  size_ = pairs == Pairs::ordered ? a_.size() * (a_.size() + 1) / 2 : a_.size() * b_.size();
}

OrderedSums OrderedSums::within(std::span<const double> samples) {
  const std::vector<double> sorted = sorted_finite(samples);
  return {sorted, sorted, Pairs::ordered};
}

OrderedSums OrderedSums::between(std::span<const double> samples,
                                 std::span<const double> reference) {
  std::vector<double> negated = sorted_finite(reference);
  std::ranges::reverse(negated);
  for (double& value : negated) value = -value;
  return {sorted_finite(samples), std::move(negated), Pairs::all};
}

std::size_t OrderedSums::count_up_to(double limit) const {
  const std::size_t sums = count_sums(a_, b_, limit);
  if (pairs_ == Pairs::all) return sums;
  // The sums over all pairs count i < j twice and i = j once.
  const auto own = static_cast<std::size_t>(
      std::ranges::count_if(a_, [&](double sample) { return sample + sample <= limit; }));
  return (sums + own) / 2;
}

double OrderedSums::at_rank(std::size_t rank) const {
  if (rank == 0 || rank > size_) throw std::logic_error("a sum of a rank that there is not");
  // The smallest double that at least `rank` sums do not exceed is one of the sums; at most 64
  // counts.
  std::int64_t first = place_of(a_.front() + b_.front());
  std::int64_t last = place_of(a_.back() + b_.back());
  while (first < last) {
    const std::int64_t middle = std::midpoint(first, last);
    if (count_up_to(at_place(middle)) >= rank) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return at_place(first);
}

std::optional<double> OrderedSums::median() const {
  if (size_ == 0) return std::nullopt;
  const double lower = at_rank((size_ + 1) / 2);
  return size_ % 2 == 1 ? lower : std::midpoint(lower, at_rank(size_ / 2 + 1));
}

std::optional<double> effective_sample_size(std::span<const double> samples) {
  if (samples.size() < 4) return std::nullopt;
  const auto n = static_cast<double>(samples.size());
  const std::vector<double> ranks = centred_ranks(samples);
  const double variance = autocovariance(ranks, 0);
  if (variance <= 0) return n;
  if (const auto tau = correlation_time(ranks, variance)) return n / *tau;
  // The block means have the same mean as the values, so their variance gives its precision.
  const std::vector<double> means = block_means(ranks);
  const double of_means = autocovariance(means, 0);
  const auto tau = of_means > 0 ? correlation_time(means, of_means) : std::nullopt;
  if (!tau) return n;
  return std::clamp(variance / of_means * static_cast<double>(means.size()) / *tau, 1.0, n);
}

std::optional<double> median_error(std::span<const double> samples) {
  const auto size = effective_sample_size(samples);
  if (!size) return std::nullopt;
  const double step = 1 / (2 * std::sqrt(*size));
  const auto low = quantile(samples, std::max(0.0, 0.5 - step));
  const auto high = quantile(samples, std::min(1.0, 0.5 + step));
  if (!low || !high) return std::nullopt;
  return (*high - *low) / 2;
}

std::vector<double> sorted_finite(std::span<const double> samples) {
  std::vector<double> sorted = finite(samples);
  std::ranges::sort(sorted);
  return sorted;
}

std::optional<double> quantile(std::span<const double> samples, double q) {
  const bool fraction = q >= 0 && q <= 1;
  if (!fraction) {
    throw InputError({fmt::format("quantile {:f}", q), "a quantile is a fraction of the samples",
                      "use a number from 0 to 1"});
  }
  if (samples.empty()) return std::nullopt;
  std::vector<double> values = finite(samples);
  const double position = static_cast<double>(values.size() - 1) * q;
  const double whole = std::floor(position);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(whole);
  std::nth_element(values.begin(), below, values.end());  // medians are needed often: no full sort
  const auto above = std::min_element(below + 1, values.end());
  return above == values.end() ? *below : std::lerp(*below, *above, position - whole);
}

std::optional<double> median(std::span<const double> samples) { return quantile(samples, 0.5); }

double median_of_some(std::span<const double> samples) {
  const std::optional<double> found = median(samples);
  if (!found) throw std::logic_error("the median of no samples");
  return *found;
}

std::optional<Interval> quantile_interval(std::span<const double> samples, double q, double level) {
  require_inside("quantile", q);
  require_inside("level", level);
  if (samples.empty()) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(samples);
  const auto n = static_cast<double>(sorted.size());
  const double tail = (1 - level) / 2 * (1 + rounding);
  const std::size_t lower =
      count_leading(sorted.size(), [&](double k) { return binomial_cdf(n, q, k) <= tail; });
  const std::size_t upper =
      1 + count_leading(sorted.size(), [&](double k) { return binomial_above(n, q, k) > tail; });
  if (lower < 1 || upper > sorted.size()) return std::nullopt;
  const double missed = binomial_cdf(n, q, static_cast<double>(lower - 1)) +
                        binomial_above(n, q, static_cast<double>(upper - 1));
  return Interval{sorted[lower - 1], sorted[upper - 1], 1 - missed};
}

std::size_t samples_for_interval(double q, double level) {
  require_inside("quantile", q);
  require_inside("level", level);
  const double tail = (1 - level) / 2;
  return std::max(draws_until(q, tail), draws_until(1 - q, tail));
}

std::size_t samples_for_upper_bound(double q, double level) {
  require_inside("quantile", q);
  require_inside("level", level);
  return draws_until(q, 1 - level);
}

std::optional<double> median_absolute_deviation(std::span<const double> samples) {
  const std::optional<double> centre = median(samples);
  if (!centre) return std::nullopt;
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) distances.push_back(std::abs(sample - *centre));
  return median(distances);
}

std::optional<double> hodges_lehmann(std::span<const double> samples) {
  const std::optional<double> middle = OrderedSums::within(samples).median();
  return middle ? std::optional(*middle / 2) : std::nullopt;
}

std::optional<double> hodges_lehmann_shift(std::span<const double> samples,
                                           std::span<const double> reference) {
  return OrderedSums::between(samples, reference).median();
}

}  // namespace hockney
