#include "health/detection/variability.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/robust.hpp"
#include "verdicts/rank_tests.hpp"

namespace hockney::health {
namespace {

constexpr std::size_t fewest_for_spread = 3;
/// Median of |X - X'| of normal values of standard deviation 1: sqrt(2) * 0.6745.
constexpr double usual_distance = 0.9538725524;

std::vector<double> logarithms(std::span<const double> seconds) {
  std::vector<double> logs;
  logs.reserve(seconds.size());
  for (const double time : seconds) {
    if (!(time > 0) || !std::isfinite(time)) {
      throw InputError({"a launch took " + std::to_string(time) + " s",
                        "times are positive and finite", "repair or remove it"});
    }
    logs.push_back(std::log(time));
  }
  return logs;
}

std::vector<double> all_distances(std::span<const double> values) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) distances.push_back(std::abs(values[i] - values[j]));
  }
  return distances;
}

/// Of disjoint pairs, which are independent as the launches are.
std::vector<double> disjoint_distances(std::span<const double> values) {
  std::vector<double> distances;
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    distances.push_back(std::abs(values[i] - values[i + 1]));
  }
  return distances;
}

}  // namespace

std::optional<Figure> run_to_run_spread(std::span<const double> launch_seconds) {
  const std::vector<double> logs = logarithms(launch_seconds);
  if (logs.size() < fewest_for_spread) return std::nullopt;
  std::vector<double> distances = all_distances(logs);
  Figure spread{.value = quick_median(distances) / usual_distance,
                .interval = quantile_interval(disjoint_distances(logs)),
                .launches = logs.size()};
  if (spread.interval) {
    spread.interval->low /= usual_distance;
    spread.interval->high /= usual_distance;
  }
  return spread;
}

std::optional<Figure> outlier_rate(std::span<const LaunchOutliers> launches) {
  std::vector<double> fractions;
  for (const LaunchOutliers& launch : launches) {
    if (launch.outliers > launch.samples) {
      throw InputError({std::to_string(launch.outliers) + " detours among " +
                            std::to_string(launch.samples) + " samples",
                        "each detour is a sample", "repair the record"});
    }
    if (launch.samples == 0) continue;
    fractions.push_back(static_cast<double>(launch.outliers) / static_cast<double>(launch.samples));
  }
  if (fractions.empty()) return std::nullopt;
  const auto interval = quantile_interval(fractions);
  return Figure{quick_median(fractions), interval, fractions.size()};
}

std::optional<Figure> congestion_factor(std::span<const double> loaded_seconds,
                                        std::span<const double> idle_seconds) {
  const std::vector<double> loaded = logarithms(loaded_seconds);
  const std::vector<double> idle = logarithms(idle_seconds);
  const auto shift = hodges_lehmann_shift(loaded, idle);
  if (!shift) return std::nullopt;
  const auto interval = verdicts::ratio_interval(verdicts::rank_sum_interval(loaded, idle));
  return Figure{std::exp(*shift), interval, std::min(loaded.size(), idle.size())};
}

}  // namespace hockney::health
