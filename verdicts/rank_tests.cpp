#include "verdicts/rank_tests.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <vector>

#include "core/distributions.hpp"
#include "core/error.hpp"
#include "core/statistics.hpp"

namespace hockney::verdicts {
namespace {

/// Rounding inside the normal distribution or of (1-level)/2 must not change a rank.
constexpr double rounding = 1e-12;

/// Correction for continuity: half a rank, doubled.
constexpr double continuity = 1;

double square(double value) { return value * value; }

std::size_t sum_of(std::span<const std::size_t> ranks) {
  return std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
}

double sum_of_squares(std::span<const std::size_t> ranks) {
  double sum = 0;
  for (const std::size_t rank : ranks) sum += square(static_cast<double>(rank));
  return sum;
}

/// Twice the rank of each value; ties get the mean of their ranks.
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

/// 2, 4, ... 2n: the ranks of n values without ties.
std::vector<std::size_t> doubled_ranks(std::size_t n) {
  std::vector<std::size_t> ranks(n);
  for (std::size_t i = 0; i < n; ++i) ranks[i] = 2 * (i + 1);
  return ranks;
}

/// The interval of a shift by inverting its test (Lehmann 1963): [x(c), x(N+1-c)] of the N
/// `candidates`. The index c is the largest with P(at most c-1 candidates on one side of the true
/// shift) <= (1-level)/2. `null` is the distribution without ties; `smallest` is its smallest
/// doubled sum. nullopt if no c qualifies.
std::optional<Interval> rank_interval(const OrderedSums& candidates, const RankSum& null,
                                      std::size_t smallest, double level) {
  const bool inside = level > 0 && level < 1;
  if (!inside) {
    throw InputError({fmt::format("level is {:f}", level),
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

/// Tails of the samples' ranks among all values, after the samples are shifted back by `shift`.
Tails tails_about(std::span<const double> samples, std::span<const double> reference,
                  double shift) {
  std::vector<double> all;
  for (const double sample : samples) all.push_back(sample - shift);
  all.insert(all.end(), reference.begin(), reference.end());
  const std::vector<std::size_t> ranks = doubled_midranks(all);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) sum += ranks[i];
  const RankSum null = RankSum::of_draw(ranks, samples.size());
  return {null.at_least(sum), null.at_most(sum)};
}

/// Tails of the positive ranks about one shift: `above` for ranks this high, `below` for this low.
Tails tails_about(std::span<const double> differences, double shift) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences) {
    const double residue = difference - shift;
    if (std::abs(residue) <= rank_resolution) continue;
    sizes.push_back(std::abs(residue));
    positive.push_back(residue > 0);
  }
  const std::vector<std::size_t> ranks = doubled_midranks(sizes);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) sum += positive[i] ? ranks[i] : 0;
  const RankSum null = RankSum::of_signs(ranks);
  return {null.at_least(sum), null.at_most(sum)};
}

constexpr double nothing_left = 1e-9;  ///< of a sum of squares

/// The difference of a contrast, the standard deviation of one value (a pair's difference, or a
/// launch of one side), and the degrees of freedom.
struct Spread {
  double difference = 0;
  double deviation = 0;
  double freedom = 0;
};

Spread spread_of(const Contrast& contrast) {
  Spread spread;
  double squares = 0;
  for (const auto* side : {&contrast.a, &contrast.b}) {
    if (side->empty()) continue;
    std::vector<double> values;
    for (const LaunchLog& one : *side) values.push_back(one.value);
    const double centre = median_of_some(values);
    for (double& value : values) value -= centre;
    draw_in(values);
    const double shift = centre + sample_mean(values);
    spread.difference += side == &contrast.b ? shift : -shift;
    const auto others = static_cast<double>(values.size()) - 1;
    if (others > 0) squares += others * sample_variance(values);
    spread.freedom += others;
  }
  if (spread.freedom > 0) spread.deviation = std::sqrt(squares / spread.freedom);
  return spread;
}

/// Student's t of a statistic of `values` values; infinite for the largest possible statistic.
double students_t(double statistic, std::size_t values, double freedom) {
  const auto n = static_cast<double>(values);
  const double rest = n - statistic * statistic;
  return rest <= nothing_left ? HUGE_VAL : statistic * std::sqrt(freedom / rest);
}

double students_t(const Contrast& contrast, double critical) {
  const Spread spread = spread_of(contrast);
  return students_t(critical, contrast.a.size() + contrast.b.size(), spread.freedom);
}

/// Variance of the difference divided by that of one value.
double variance_of_difference(std::size_t of_a, std::size_t of_b) {
  const double without_pairs = of_a == 0 ? 0 : 1 / static_cast<double>(of_a);
  return without_pairs + 1 / static_cast<double>(of_b);
}

}  // namespace

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
  // weights[s]: number of sets of the ranks so far with the sum s; whole numbers below 2^53.
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
  // weights[k][s]: number of sets of k of the ranks so far with the sum s.
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
  return normal_cdf((static_cast<double>(sum) + continuity - mean_) / deviation_);
}

double RankSum::at_least(std::size_t sum) const {
  if (!at_least_.empty()) return sum < at_least_.size() ? at_least_[sum] : 0;
  if (deviation_ <= 0) return 1;
  return normal_cdf((mean_ - static_cast<double>(sum) + continuity) / deviation_);
}

double two_sided(const Tails& tails) {
  return std::min(1.0, 2 * std::min(tails.above, tails.below));
}

std::optional<double> rank_sum_p(std::span<const double> samples, std::span<const double> reference,
                                 double margin) {
  if (samples.empty() || reference.empty()) return std::nullopt;
  return two_sided({tails_about(samples, reference, margin).above,
                    tails_about(samples, reference, -margin).below});
}

double smallest_rank_sum_p(std::size_t samples, std::size_t reference) {
  // 2 / C(n+m, n) as a product, which neither overflows nor underflows.
  double smallest = 2;
  for (std::size_t i = 1; i <= samples; ++i) {
    smallest *= static_cast<double>(i) / static_cast<double>(reference + i);
  }
  return std::min(1.0, smallest);
}

std::optional<Interval> rank_sum_interval(std::span<const double> samples,
                                          std::span<const double> reference, double level) {
  const std::size_t n = samples.size();
  const RankSum null = RankSum::of_draw(doubled_ranks(n + reference.size()), n);
  return rank_interval(OrderedSums::between(samples, reference), null, n * (n + 1), level);
}

std::optional<double> signed_rank_p(std::span<const double> differences, double margin) {
  if (differences.empty()) return std::nullopt;
  return two_sided(
      {tails_about(differences, margin).above, tails_about(differences, -margin).below});
}

std::optional<double> signed_rank_above(std::span<const double> differences, double margin) {
  if (differences.empty()) return std::nullopt;
  return tails_about(differences, margin).above;
}

double smallest_signed_rank_p(std::size_t n) {
  return n <= 1 ? 1.0 : std::exp2(1 - static_cast<double>(n));
}

std::optional<Interval> signed_rank_interval(std::span<const double> differences, double level) {
  const RankSum null = RankSum::of_signs(doubled_ranks(differences.size()));
  auto interval = rank_interval(OrderedSums::within(differences), null, 0, level);
  if (!interval) return std::nullopt;
  return Interval{interval->low / 2, interval->high / 2, interval->level};  // Walsh averages
}

double smallest_p(const Contrast& contrast, Alternative alternative) {
  const std::size_t of_a = contrast.a.size();
  const std::size_t of_b = contrast.b.size();
  const double least =
      of_a == 0 ? std::exp2(-static_cast<double>(of_b)) : chance_of_labels(of_a, of_b);
  const bool is_mirrored = alternative == Alternative::either && (of_a == 0 || of_a == of_b);
  return std::min(1.0, is_mirrored ? 2 * least : least);
}

std::optional<double> critical_value(const FamilyTest& test, double alpha) {
  const auto all = static_cast<double>(test.largest.size());
  const auto allowed = static_cast<std::size_t>(alpha * all + nothing_left);
  if (allowed == 0) return std::nullopt;
  return test.largest[test.largest.size() - 1 - allowed];
}

std::optional<double> visible_shift(const Contrast& contrast, double critical) {
  const double t = students_t(contrast, critical);
  if (!std::isfinite(t)) return std::nullopt;
  return t * spread_of(contrast).deviation *
         std::sqrt(variance_of_difference(contrast.a.size(), contrast.b.size()));
}

std::optional<std::size_t> launches_to_show(const Contrast& contrast, double margin,
                                            const FamilyThreshold& family) {
  constexpr double power = 0.8;
  constexpr std::size_t most = 1000;
  const Spread spread = spread_of(contrast);
  const double beyond = std::abs(spread.difference) - margin;
  if (spread.freedom <= 0 || beyond <= 0) return std::nullopt;
  const double t = students_t(contrast, family.critical);
  const double level = std::isfinite(t)
                           ? std::max(family.least_level, student_above(spread.freedom, t))
                           : family.least_level;
  const auto too_few = [&](std::size_t n) {
    const std::size_t of_a = contrast.a.empty() ? 0 : n;
    const double freedom = static_cast<double>(of_a == 0 ? n : 2 * n) - (of_a == 0 ? 1 : 2);
    const double error = spread.deviation * std::sqrt(variance_of_difference(of_a, n));
    const double needed = student_upper_quantile(freedom, level) + student_quantile(freedom, power);
    const bool can =
        of_a == 0 ? std::exp2(-static_cast<double>(n)) <= level : chance_of_labels(n, n) <= level;
    return !can || beyond < needed * error;
  };
  const std::size_t made =
      contrast.a.empty() ? contrast.b.size() : std::min(contrast.a.size(), contrast.b.size());
  // Every condition gets easier with more launches.
  const auto numbers = std::views::iota(std::max(made + 1, std::size_t{2}), most + 1);
  if (numbers.empty()) return std::nullopt;
  const auto enough = std::ranges::partition_point(numbers, too_few);
  return enough == numbers.end() ? std::nullopt : std::optional(*enough);
}

FamilyResult judge(std::span<const Contrast> family, std::span<const double> by_ranks,
                   Correction correction, double alpha, double margin, Alternative alternative) {
  const auto points = static_cast<double>(family.size());
  FamilyResult result;
  result.test = test_family(family, by_ranks, correction, margin, alternative);
  if (correction == Correction::holm) result.factor = points;
  if (const auto critical = critical_value(result.test, alpha)) {
    result.threshold = FamilyThreshold{*critical, alpha / (2 * points)};
  }
  result.shifts = family_intervals(family, result.test, alpha, alternative);
  return result;
}

}  // namespace hockney::verdicts
