#include "verdicts/variability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/statistics.hpp"
#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {
namespace {

/// Least standard deviation of launches in one mode [log ratio], because clocks have steps.
constexpr double least_deviation = 0.005;

constexpr std::array null_tails{0.05, 0.01, 0.001, 0.0001};
using Quantiles = std::array<double, null_tails.size()>;

/// Quantiles of the statistic for one mode and 6, 7, ... launches, exceeded with the probabilities
/// of null_tails.
constexpr std::array<Quantiles, 25> null_quantiles{
    {{5.90, 10.50, 22.26, 43.31}, {5.06, 8.89, 17.29, 30.79}, {4.66, 7.87, 14.53, 23.91},
     {4.38, 7.18, 12.66, 20.09},  {4.14, 6.67, 11.51, 18.53}, {3.95, 6.25, 10.50, 16.12},
     {3.79, 5.91, 9.86, 14.87},   {3.65, 5.66, 9.32, 14.39},  {3.52, 5.41, 8.80, 12.78},
     {3.42, 5.24, 8.48, 12.54},   {3.32, 5.06, 8.11, 11.59},  {3.25, 4.92, 7.84, 11.53},
     {3.18, 4.79, 7.51, 11.03},   {3.11, 4.67, 7.32, 10.45},  {3.05, 4.58, 7.12, 10.12},
     {2.32, 3.41, 5.26, 7.44},    {2.28, 3.34, 5.10, 7.29},   {2.25, 3.28, 5.11, 7.23},
     {2.22, 3.23, 4.90, 6.89},    {2.18, 3.18, 4.80, 6.56},   {2.16, 3.13, 4.73, 6.54},
     {2.13, 3.09, 4.65, 6.57},    {2.11, 3.04, 4.61, 6.43},   {2.08, 3.00, 4.53, 6.26},
     {2.06, 2.97, 4.46, 6.09}}};

/// Of a part of sorted values.
double squares_about_mean(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

std::vector<double> logarithms_of(const std::vector<double>& seconds) {
  std::vector<double> logs;
  for (const double one : seconds) {
    if (!(one > 0) || !std::isfinite(one)) return {};
    logs.push_back(std::log(one));
  }
  return logs;
}

LaunchModes modes_at(const std::vector<double>& seconds, std::size_t below) {
  const std::vector<double> sorted = sorted_finite(seconds);
  const std::span<const double> all(sorted);
  LaunchModes modes{.low_seconds = median_of_some(all.first(below)),
                    .high_seconds = median_of_some(all.subspan(below)),
                    .is_high = {}};
  for (const double one : seconds) modes.is_high.push_back(one >= sorted[below]);
  return modes;
}

}  // namespace

std::size_t LaunchModes::high_launches() const {
  return static_cast<std::size_t>(std::ranges::count(is_high, true));
}

std::optional<LargestGap> largest_gap(std::span<const double> logarithms) {
  const std::size_t n = logarithms.size();
  if (n < fewest_launches_of_modes) return std::nullopt;
  const std::vector<double> sorted = sorted_finite(logarithms);
  const std::span<const double> all(sorted);
  const std::size_t least = std::max<std::size_t>(2, (n + 9) / 10);
  LargestGap largest{.statistic = 0, .below = least};
  for (std::size_t below = least; below + least <= n; ++below) {
    const double squares =
        squares_about_mean(all.first(below)) + squares_about_mean(all.subspan(below));
    const double deviation =
        std::max(least_deviation, std::sqrt(squares / static_cast<double>(n - 2)));
    const double statistic = (sorted[below] - sorted[below - 1]) / deviation;
    if (statistic > largest.statistic) largest = {statistic, below};
  }
  return largest;
}

double mode_p(std::size_t launches, double statistic) {
  if (launches < fewest_launches_of_modes) return 1;
  const std::size_t row = std::min(launches - fewest_launches_of_modes, null_quantiles.size() - 1);
  const Quantiles& quantiles = null_quantiles.at(row);
  if (statistic < quantiles.front()) return 1;
  std::size_t upper = 1;  // of the two quantiles around the statistic, or the last two
  while (upper + 1 < quantiles.size() && statistic > quantiles.at(upper)) ++upper;
  const double low = std::log(quantiles.at(upper - 1));
  const double high = std::log(quantiles.at(upper));
  const double share = (std::log(statistic) - low) / (high - low);
  const double of_low = std::log(null_tails.at(upper - 1));
  const double of_high = std::log(null_tails.at(upper));
  return std::exp(of_low + share * (of_high - of_low));
}

std::vector<std::optional<LaunchModes>> find_modes(std::span<const std::vector<double>> points,
                                                   double alpha) {
  std::vector<std::optional<LargestGap>> gaps;
  std::vector<double> p;
  for (const std::vector<double>& seconds : points) {
    const std::optional<LargestGap> gap = largest_gap(logarithms_of(seconds));
    if (gap) p.push_back(mode_p(seconds.size(), gap->statistic));
    gaps.push_back(gap);
  }
  const std::vector<double> adjusted = holm(p);
  std::vector<std::optional<LaunchModes>> found(points.size());
  auto next = adjusted.begin();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::optional<LargestGap>& gap = gaps[i];
    if (!gap) continue;
    const double p_adjusted = *next++;
    if (p_adjusted > alpha) continue;
    LaunchModes modes = modes_at(points[i], gap->below);
    modes.p_adjusted = p_adjusted;
    if (modes.high_seconds >= least_mode_ratio * modes.low_seconds) found[i] = std::move(modes);
  }
  return found;
}

}  // namespace hockney::verdicts
