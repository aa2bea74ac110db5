#include "health/detection/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/robust.hpp"
#include "core/whole_number.hpp"

namespace hockney::health {
namespace {

constexpr double most_correlated = 0.9;  // beyond it, whitening would divide by next to nothing

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : std::midpoint(sorted[n / 2 - 1], sorted[n / 2]);
}

/// Distances from a centre: those of the values above it and of those below, each ascending.
class Distances {
 public:
  Distances(const std::vector<double>& sorted, double centre)
      : sorted_(sorted),
        centre_(centre),
        split_(
            static_cast<std::size_t>(std::ranges::lower_bound(sorted, centre) - sorted.begin())) {}

  /// The k-th smallest, k from 0 on, by bisection of how many of the k + 1 smallest lie above.
  [[nodiscard]] double smallest(std::size_t k) const {
    const std::size_t all_above = sorted_.size() - split_;
    std::size_t low = k + 1 > split_ ? k + 1 - split_ : 0;
    std::size_t high = std::min(k + 1, all_above);
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (above(middle) < below(k - middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const double from_above = low > 0 ? above(low - 1) : 0;
    const double from_below = low < k + 1 ? below(k - low) : 0;
    return std::max(from_above, from_below);
  }

 private:
  [[nodiscard]] double above(std::size_t i) const { return sorted_[split_ + i] - centre_; }
  [[nodiscard]] double below(std::size_t i) const { return centre_ - sorted_[split_ - 1 - i]; }

  const std::vector<double>& sorted_;
  double centre_;
  std::size_t split_;  ///< index of the first value that is not below the centre
};

/// Median of the distances from the centre, in O(log n).
double spread_of_sorted(const std::vector<double>& sorted, double centre) {
  const std::size_t n = sorted.size();
  const Distances distances(sorted, centre);
  const double upper = distances.smallest(n / 2);
  return n % 2 == 1 ? upper : std::midpoint(distances.smallest(n / 2 - 1), upper);
}

}  // namespace

double lag_one_autocorrelation(std::span<const double> values, double centre, double noise) {
  double squares = 0;
  double products = 0;
  double before = 0;
  const double limit = most_deviation * noise;
  for (const double value : values) {
    const double score = std::clamp(value - centre, -limit, limit);
    squares += score * score;
    products += score * before;
    before = score;
  }
  if (squares <= 0) return 0;
  const double raw = products / squares;
  const double bias = (1 + 3 * raw) / static_cast<double>(values.size());
  return std::clamp(raw + bias, 0.0, most_correlated);
}

std::size_t block_length(double autocorrelation, std::size_t n) {
  const double rho = autocorrelation;
  const double optimum =
      std::pow(std::sqrt(6.0) * rho / (1 - rho * rho), 2.0 / 3) * std::cbrt(static_cast<double>(n));
  return std::clamp<std::size_t>(whole_number<std::size_t>(optimum), 1,
                                 std::max<std::size_t>(n / 3, 1));
}

void resample_blocks(std::span<const double> values, std::size_t block, std::mt19937_64& random,
                     std::span<double> out) {
  const std::size_t length = std::min(block, values.size());
  std::uniform_int_distribution<std::size_t> place(0, values.size() - length);
  for (std::size_t filled = 0; filled < out.size();) {
    const std::size_t take = std::min(length, out.size() - filled);
    std::ranges::copy(values.subspan(place(random), take), out.subspan(filled).begin());
    filled += take;
  }
}

Baseline::Baseline(const BaselineParameters& parameters)
    : parameters_(parameters), noise_(parameters.least_noise) {
  if (parameters.shortest < 2 || parameters.window < parameters.shortest) {
    throw InputError({"a baseline of " + std::to_string(parameters.shortest) + " to " +
                          std::to_string(parameters.window) + " nights",
                      "its window must hold the shortest one, which has at least 2",
                      "use 14 and 120"});
  }
  if (!(parameters.least_noise > 0)) {
    throw InputError({"the least noise of a baseline is " + std::to_string(parameters.least_noise),
                      "scores divide by it", "use 0.01"});
  }
  nights_.reserve(parameters.window + 1);
  sorted_.reserve(parameters.window + 1);
}

void Baseline::add(double log_value) {
  if (nights_.size() == parameters_.window) {
    sorted_.erase(std::ranges::lower_bound(sorted_, nights_.front()));
    nights_.erase(nights_.begin());
  }
  nights_.push_back(log_value);
  sorted_.insert(std::ranges::upper_bound(sorted_, log_value), log_value);
  if (ready()) describe();
}

void Baseline::clear() {
  nights_.clear();
  sorted_.clear();
  median_ = 0;
  noise_ = parameters_.least_noise;
  autocorrelation_ = 0;
}

void Baseline::describe() {
  median_ = median_of_sorted(sorted_);
  const double deviation =
      deviations_per_mad * spread_of_sorted(sorted_, median_) * small_sample_factor(nights_.size());
  noise_ = std::max(deviation, parameters_.least_noise);
  autocorrelation_ = lag_one_autocorrelation(nights_, median_, noise_);
}

}  // namespace hockney::health
