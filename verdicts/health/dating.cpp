#include "verdicts/health/dating.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "verdicts/health/autocorrelation.hpp"
#include "verdicts/health/energy_split.hpp"
#include "verdicts/health/quick_median.hpp"

namespace hockney {
namespace {

constexpr std::size_t least_before = 5;
constexpr double to_deviation = 1.482602218505602;
constexpr double clip = 3;  // [noise] a spike is no level
constexpr double level = 0.95;

/// The series without its step, and the step.
struct Step {
  std::vector<double> deviations;
  std::size_t first = 0;  ///< night of the new level
  double height = 0;      ///< [log ratio]
};

Step take_step(std::span<const double> values, std::size_t first) {
  const double before = median(values.first(first)).value();
  const double after = median(values.subspan(first)).value();
  Step step{{values.begin(), values.end()}, first, after - before};
  for (std::size_t i = 0; i < values.size(); ++i) {
    step.deviations[i] -= i < first ? before : after;
  }
  return step;
}

/// The split with the largest difference of means, n m / (n + m) (mean - mean)^2.
std::size_t split_of_means(std::span<const double> values) {
  double total = 0;
  for (const double value : values) total += value;
  const auto n = static_cast<double>(values.size());
  double left = 0;
  double largest = -1;
  std::size_t best = 1;
  for (std::size_t k = 1; k < values.size(); ++k) {
    left += values[k - 1];
    const auto before = static_cast<double>(k);
    const double away = left - total * before / n;
    const double gain = away * away * n / (before * (n - before));
    if (gain > largest) {
      largest = gain;
      best = k;
    }
  }
  return best;
}

/// What the bootstrap finds around the truth it plants.
struct Errors {
  std::vector<double> heights;
  std::vector<double> nights;
};

Errors bootstrap(const Step& step, const DatingOptions& options) {
  const std::size_t n = step.deviations.size();
  const double noise =
      std::max(to_deviation * median_absolute_deviation(step.deviations).value(), 1e-12);
  const double rho = lag_one_autocorrelation(step.deviations, 0, noise);
  const std::size_t block = block_length(rho, n);
  std::mt19937_64 random(options.seed);
  std::vector<double> drawn(n);
  std::vector<double> stepped(n);
  Errors errors;
  for (std::size_t k = 0; k < options.resamples; ++k) {
    resample_blocks(step.deviations, block, random, drawn);
    for (std::size_t i = 0; i < n; ++i) {
      const double usual = std::clamp(drawn[i], -clip * noise, clip * noise);
      stepped[i] = usual + (i < step.first ? 0 : step.height);
    }
    errors.nights.push_back(static_cast<double>(split_of_means(stepped)) -
                            static_cast<double>(step.first));
    const std::span<double> all(drawn);
    errors.heights.push_back(quick_median(all.subspan(step.first)) -
                             quick_median(all.first(step.first)));
  }
  return errors;
}

std::size_t night_at(double place, std::size_t nights) {
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(nights - 1)));
}

}  // namespace

std::optional<LevelChange> date_change(std::span<const double> log_values,
                                       const DatingOptions& options) {
  const auto split = energy_split(log_values, {.earliest = least_before, .latest = options.latest});
  if (!split) return std::nullopt;
  const Step step = take_step(log_values, split->first_after);
  const Errors errors = bootstrap(step, options);
  constexpr double tail = (1 - level) / 2;
  const auto low = [&](const std::vector<double>& of) { return quantile(of, tail).value(); };
  const auto high = [&](const std::vector<double>& of) { return quantile(of, 1 - tail).value(); };
  const auto first = static_cast<double>(step.first);
  const std::size_t n = log_values.size();
  return LevelChange{.first = step.first,
                     .earliest = night_at(std::floor(first - high(errors.nights)), n),
                     .latest = night_at(std::ceil(first - low(errors.nights)), n),
                     .change = std::expm1(step.height),
                     .interval = {std::expm1(step.height - high(errors.heights)),
                                  std::expm1(step.height - low(errors.heights)), level}};
}

}  // namespace hockney
