#include "verdicts/rank_null.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <ranges>

#include "core/error.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {
namespace {

/// Rounding inside the normal distribution or of (1-level)/2 must not cost a rank.
constexpr double rounding = 1e-12;

/// Half a rank, doubled.
constexpr double continuity = 1;

double square(double value) { return value * value; }

double below_normal(double z) { return boost::math::cdf(boost::math::normal_distribution(), z); }

std::size_t sum_of(std::span<const std::size_t> ranks) {
  return std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
}

double sum_of_squares(std::span<const std::size_t> ranks) {
  double sum = 0;
  for (const std::size_t rank : ranks) sum += square(static_cast<double>(rank));
  return sum;
}

}  // namespace

std::vector<std::size_t> doubled_midranks(std::span<const double> values) {
  const std::vector<double> sorted = sorted_finite(values);
  std::vector<std::size_t> of_place(sorted.size());
  for (std::size_t first = 0; first < sorted.size();) {
    std::size_t last = first + 1;
    while (last < sorted.size() && sorted[last] - sorted[last - 1] <= rank_resolution) ++last;
    for (std::size_t place = first; place < last; ++place) of_place[place] = first + 1 + last;
    first = last;
  }
  std::vector<std::size_t> ranks;
  ranks.reserve(values.size());
  for (const double value : values) {
    const auto place = std::ranges::lower_bound(sorted, value) - sorted.begin();
    ranks.push_back(of_place[static_cast<std::size_t>(place)]);
  }
  return ranks;
}

std::vector<std::size_t> doubled_ranks(std::size_t n) {
  std::vector<std::size_t> ranks(n);
  for (std::size_t i = 0; i < n; ++i) ranks[i] = 2 * (i + 1);
  return ranks;
}

RankSum::RankSum(double mean, double variance)
    : mean_(mean), deviation_(std::sqrt(std::max(variance, 0.0))) {}

RankSum::RankSum(const std::vector<double>& weights)
    : at_most_(weights.size()), at_least_(weights.size()) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::partial_sum(weights.begin(), weights.end(), at_most_.begin());
  std::partial_sum(weights.rbegin(), weights.rend(), at_least_.rbegin());
  for (double& chance : at_most_) chance /= total;
  for (double& chance : at_least_) chance /= total;
}

RankSum RankSum::of_signs(std::span<const std::size_t> ranks) {
  const std::size_t largest = sum_of(ranks);
  if (ranks.size() > exact_signed_ranks) {
    return {static_cast<double>(largest) / 2, sum_of_squares(ranks) / 4};
  }
  // weights[s]: how many sets of the ranks so far have the sum s; whole numbers below 2^53.
  std::vector<double> weights(largest + 1);
  weights[0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t sum = largest; sum >= rank; --sum) weights[sum] += weights[sum - rank];
  }
  return RankSum(weights);
}

RankSum RankSum::of_draw(std::span<const std::size_t> ranks, std::size_t drawn) {
  const auto n = static_cast<double>(ranks.size());
  if (ranks.size() > exact_ranks) {
    const auto k = static_cast<double>(drawn);
    const double mean = static_cast<double>(sum_of(ranks)) / n;
    return {k * mean, k * (n - k) / (n - 1) * (sum_of_squares(ranks) / n - square(mean))};
  }
  // weights[k][s]: how many sets of k of the ranks so far have the sum s.
  const std::size_t largest = sum_of(ranks);
  std::vector<std::vector<double>> weights(drawn + 1, std::vector<double>(largest + 1));
  weights[0][0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t k = drawn; k > 0; --k) {
      for (std::size_t sum = rank; sum <= largest; ++sum) {
        weights[k][sum] += weights[k - 1][sum - rank];
      }
    }
  }
  return RankSum(weights[drawn]);
}

double RankSum::at_most(std::size_t sum) const {
  if (!at_most_.empty()) return at_most_[std::min(sum, at_most_.size() - 1)];
  if (deviation_ <= 0) return 1;
  return below_normal((static_cast<double>(sum) + continuity - mean_) / deviation_);
}

double RankSum::at_least(std::size_t sum) const {
  if (!at_least_.empty()) return sum < at_least_.size() ? at_least_[sum] : 0;
  if (deviation_ <= 0) return 1;
  return below_normal((mean_ - static_cast<double>(sum) + continuity) / deviation_);
}

double two_sided(const Tails& tails) {
  return std::min(1.0, 2 * std::min(tails.above, tails.below));
}

std::optional<Interval> rank_interval(const OrderedSums& candidates, const RankSum& null,
                                      std::size_t smallest, double level) {
  const bool inside = level > 0 && level < 1;
  if (!inside) {
    throw InputError({"level is " + std::to_string(level),
                      "an interval needs it strictly between 0 and 1", "use 0.95"});
  }
  const double tail = (1 - level) / 2 * (1 + rounding);
  const auto counts = std::views::iota(std::size_t{0}, candidates.size());
  const auto stays = [&](std::size_t c) { return null.at_most(smallest + 2 * c) <= tail; };
  const auto cut = static_cast<std::size_t>(std::ranges::partition_point(counts, stays) -
                                            std::ranges::begin(counts));
  if (cut == 0) return std::nullopt;
  return Interval{candidates.at_rank(cut), candidates.at_rank(candidates.size() + 1 - cut),
                  1 - 2 * null.at_most(smallest + 2 * (cut - 1))};
}

}  // namespace hockney::verdicts
