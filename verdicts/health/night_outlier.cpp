#include "verdicts/health/night_outlier.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "verdicts/fleet/quick_median.hpp"

namespace hockney {
namespace {

constexpr std::size_t nights_looked_at = 120;
constexpr double times_as_far = 2;
constexpr double least_score = 4;  // the one of docs/health.md that Grid'5000 uses: 99.99 %

std::optional<Interval> relative(const NightlyValue& night, double centre) {
  if (!night.interval) return std::nullopt;
  const double usual = std::exp(centre);
  return Interval{night.interval->low / usual - 1, night.interval->high / usual - 1,
                  night.interval->level};
}

/// Whether all that the night may have been lies beyond the floor, on the side of `distance`.
bool surely_beyond(const std::optional<Interval>& interval, double distance, double practical) {
  if (std::abs(distance) <= std::log1p(practical)) return false;
  if (!interval) return true;
  return distance > 0 ? interval->low > practical : interval->high < 1 / (1 + practical) - 1;
}

}  // namespace

std::optional<NightOutlier> night_outlier(std::span<const CountedNight> nights,
                                          const DetectorParameters& parameters) {
  if (nights.size() <= nights_before_outlier) return std::nullopt;
  const NightlyValue& night = *nights.back().night;
  std::span<const CountedNight> others = nights.first(nights.size() - 1);
  if (others.size() > nights_looked_at) others = others.last(nights_looked_at);
  std::vector<double> values;
  values.reserve(others.size());
  for (const CountedNight& other : others) values.push_back(other.input.log_value);
  const double centre = quick_median(values);
  for (double& value : values) value = std::abs(value - centre);
  const double distance = nights.back().input.log_value - centre;
  if (std::abs(distance) < times_as_far * *std::ranges::max_element(values)) return std::nullopt;
  const double noise =
      std::max(deviations_per_mad * quick_median(values), parameters.baseline.least_noise);
  const double score = distance / noise;
  const auto interval = relative(night, centre);
  if (std::abs(score) < least_score || !surely_beyond(interval, distance, parameters.practical)) {
    return std::nullopt;
  }
  return NightOutlier{night.day, std::expm1(distance), interval, score};
}

}  // namespace hockney
