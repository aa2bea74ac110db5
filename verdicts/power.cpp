#include "verdicts/power.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <ranges>

#include "core/statistics.hpp"

namespace hockney::verdicts {
namespace {

constexpr double nothing_left = 1e-9;  ///< of a sum of squares

/// The difference of a contrast, the standard deviation of one launch's (of a pair, or of a launch
/// of one side), and the degrees of freedom.
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
    const double shift = centre + boost::math::statistics::mean(values);
    spread.difference += side == &contrast.b ? shift : -shift;
    const auto others = static_cast<double>(values.size()) - 1;
    if (others > 0) squares += others * boost::math::statistics::sample_variance(values);
    spread.freedom += others;
  }
  if (spread.freedom > 0) spread.deviation = std::sqrt(squares / spread.freedom);
  return spread;
}

/// Student's t of a statistic of so many values; infinite for the largest there can be.
double students_t(double statistic, std::size_t values, double freedom) {
  const auto n = static_cast<double>(values);
  const double rest = n - statistic * statistic;
  return rest <= nothing_left ? HUGE_VAL : statistic * std::sqrt(freedom / rest);
}

double students_t(const Contrast& contrast, double critical) {
  const Spread spread = spread_of(contrast);
  return students_t(critical, contrast.a.size() + contrast.b.size(), spread.freedom);
}

/// Variance of the difference over that of one launch.
double variance_of_difference(std::size_t of_a, std::size_t of_b) {
  const double without_pairs = of_a == 0 ? 0 : 1 / static_cast<double>(of_a);
  return without_pairs + 1 / static_cast<double>(of_b);
}

}  // namespace

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
  using Student = boost::math::students_t;
  constexpr double power = 0.8;
  constexpr std::size_t most = 1000;
  const Spread spread = spread_of(contrast);
  const double beyond = std::abs(spread.difference) - margin;
  if (spread.freedom <= 0 || beyond <= 0) return std::nullopt;
  const double t = students_t(contrast, family.critical);
  const double level =
      std::isfinite(t) ? std::max(family.least_level, cdf(complement(Student(spread.freedom), t)))
                       : family.least_level;
  const auto too_few = [&](std::size_t n) {
    const std::size_t of_a = contrast.a.empty() ? 0 : n;
    const double freedom = static_cast<double>(of_a == 0 ? n : 2 * n) - (of_a == 0 ? 1 : 2);
    const double error = spread.deviation * std::sqrt(variance_of_difference(of_a, n));
    const double needed =
        quantile(complement(Student(freedom), level)) + quantile(Student(freedom), power);
    const bool can =
        of_a == 0 ? std::exp2(-static_cast<double>(n)) <= level : chance_of_labels(n, n) <= level;
    return !can || beyond < needed * error;
  };
  const std::size_t made =
      contrast.a.empty() ? contrast.b.size() : std::min(contrast.a.size(), contrast.b.size());
  // Every part of it falls with the number of launches.
  const auto numbers = std::views::iota(std::max(made + 1, std::size_t{2}), most + 1);
  if (numbers.empty()) return std::nullopt;
  const auto enough = std::ranges::partition_point(numbers, too_few);
  return enough == numbers.end() ? std::nullopt : std::optional(*enough);
}

}  // namespace hockney::verdicts
