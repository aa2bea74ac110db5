#include "health/detection/dating.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "core/robust.hpp"
#include "health/detection/baseline.hpp"

namespace hockney::health {
namespace {

/// Sum of |x - v| over the values.
double distances_to(double x, std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(x - value);
  return sum;
}

/// The sums of distances of a series cut in two, while the cut moves to the right.
class MovingCut {
 public:
  explicit MovingCut(std::span<const double> values) : values_(values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      right_ += distances_to(values[i], values.subspan(i + 1));
    }
  }

  void advance() {
    const double x = values_[cut_];
    const double to_left = distances_to(x, values_.first(cut_));
    const double to_right = distances_to(x, values_.subspan(cut_ + 1));
    left_ += to_left;
    right_ -= to_right;
    between_ += to_right - to_left;
    ++cut_;
  }

  /// Needs two values on each side.
  [[nodiscard]] double statistic() const {
    const auto n = static_cast<double>(cut_);
    const auto m = static_cast<double>(values_.size() - cut_);
    const double energy =
        2 * between_ / (n * m) - 2 * left_ / (n * (n - 1)) - 2 * right_ / (m * (m - 1));
    return n * m / (n + m) * energy;
  }

 private:
  std::span<const double> values_;
  std::size_t cut_ = 0;
  double left_ = 0;     ///< over the pairs inside the first part
  double right_ = 0;    ///< over the pairs inside the second part
  double between_ = 0;  ///< over the pairs across
};

constexpr std::size_t least_before = 5;
constexpr std::size_t fewest_resamples = 40;  // whose 2.5 % are one
constexpr std::size_t least_block = 4;  // costs no coverage, and a quarter of the random numbers

/// The series without its step, and the step.
struct Step {
  std::vector<double> deviations;
  std::size_t first = 0;  ///< night of the new level
  double height = 0;      ///< [log ratio]
};

double median_of(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return quick_median(copy);
}

Step take_step(std::span<const double> values, std::size_t first) {
  const double before = median_of(values.first(first));
  const double after = median_of(values.subspan(first));
  Step step{{values.begin(), values.end()}, first, after - before};
  for (std::size_t i = 0; i < values.size(); ++i) {
    step.deviations[i] -= i < first ? before : after;
  }
  return step;
}

/// n / (k (n - k)) for each split k of n values: the weights of split_of_means().
std::vector<double> weights_of_splits(std::size_t n) {
  std::vector<double> weights(n, 0);
  for (std::size_t k = 1; k < n; ++k) {
    weights[k] = static_cast<double>(n) / (static_cast<double>(k) * static_cast<double>(n - k));
  }
  return weights;
}

/// The split with the largest difference of means, k (n - k) / n (mean - mean)^2.
std::size_t split_of_means(std::span<const double> values, std::span<const double> weights) {
  double total = 0;
  for (const double value : values) total += value;
  const double mean = total / static_cast<double>(values.size());
  double away = 0;  // sum of the first k values over that of k means
  double largest = -1;
  std::size_t best = 1;
  for (std::size_t k = 1; k < values.size(); ++k) {
    away += values[k - 1] - mean;
    const double gain = away * away * weights[k];
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
  const double noise = std::max(robust_deviation(step.deviations), 1e-12);
  const double rho = lag_one_autocorrelation(step.deviations, 0, noise);
  const std::size_t block = std::max(block_length(rho, n), least_block);
  const std::vector<double> weights = weights_of_splits(n);
  std::mt19937_64 random(options.seed);
  std::vector<double> drawn(n);
  std::vector<double> stepped(n);
  Errors errors;
  for (std::size_t k = 0; k < std::max(options.resamples, fewest_resamples); ++k) {
    resample_blocks(step.deviations, block, random, drawn);
    for (std::size_t i = 0; i < n; ++i) {
      const double usual = std::clamp(drawn[i], -most_deviation * noise, most_deviation * noise);
      stepped[i] = usual + (i < step.first ? 0 : step.height);
    }
    errors.nights.push_back(static_cast<double>(split_of_means(stepped, weights)) -
                            static_cast<double>(step.first));
    const std::span<double> all(drawn);
    errors.heights.push_back(quick_median(all.subspan(step.first)) -
                             quick_median(all.first(step.first)));
  }
  return errors;
}

struct Range {
  double low = 0;
  double high = 0;
};

/// What the middle 95 % of the values lie between.
Range central_range(std::vector<double>& values) {
  std::ranges::sort(values);
  const auto cut =
      static_cast<std::size_t>((1 - default_level) / 2 * static_cast<double>(values.size()));
  return {values[cut], values[values.size() - 1 - cut]};
}

std::size_t night_at(double place, std::size_t nights) {
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(nights - 1)));
}

}  // namespace

std::optional<EnergySplit> energy_split(std::span<const double> values, const SplitRange& range) {
  constexpr std::size_t least = 2;
  const std::size_t earliest = std::max(range.earliest, least);
  if (values.size() < earliest + least) return std::nullopt;
  const std::size_t latest = std::min(range.latest, values.size() - least);
  MovingCut cut(values);
  std::optional<EnergySplit> best;
  for (std::size_t k = 1; k <= latest; ++k) {
    cut.advance();
    if (k < earliest) continue;
    const double statistic = cut.statistic();
    if (!best || statistic > best->statistic) best = EnergySplit{k, statistic};
  }
  return best;
}

std::optional<LevelChange> date_change(std::span<const double> log_values,
                                       const DatingOptions& options) {
  const auto split = energy_split(log_values, {.earliest = least_before, .latest = options.latest});
  if (!split) return std::nullopt;
  const Step step = take_step(log_values, split->first_after);
  Errors errors = bootstrap(step, options);
  const Range nights = central_range(errors.nights);
  const Range heights = central_range(errors.heights);
  const auto first = static_cast<double>(step.first);
  const std::size_t n = log_values.size();
  return LevelChange{.first = step.first,
                     .earliest = night_at(std::floor(first - nights.high), n),
                     .latest = night_at(std::ceil(first - nights.low), n),
                     .change = std::expm1(step.height),
                     .interval = {std::expm1(step.height - heights.high),
                                  std::expm1(step.height - heights.low), default_level}};
}

}  // namespace hockney::health
