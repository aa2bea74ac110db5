#include "verdicts/health/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "verdicts/health/autocorrelation.hpp"

namespace hockney {
namespace {

constexpr double to_deviation = 1.482602218505602;  // of a normal distribution, from its MAD
constexpr double small_sample = 0.8;                // Croux and Rousseeuw 1992

double median_of_sorted(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : std::midpoint(sorted[n / 2 - 1], sorted[n / 2]);
}

/// Median of |x - centre|: the two halves of the sorted values are merged outward from the centre.
double spread_of_sorted(const std::vector<double>& sorted, double centre) {
  const std::size_t n = sorted.size();
  std::size_t above =
      static_cast<std::size_t>(std::ranges::lower_bound(sorted, centre) - sorted.begin());
  std::size_t below = above;  // one past the next value below
  double last = 0;
  double before_last = 0;
  for (std::size_t taken = 0; taken <= n / 2; ++taken) {
    const bool take_above =
        below == 0 || (above < n && sorted[above] - centre <= centre - sorted[below - 1]);
    before_last = last;
    last = take_above ? sorted[above++] - centre : centre - sorted[--below];
  }
  return n % 2 == 1 ? last : std::midpoint(before_last, last);
}

}  // namespace

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
  const auto n = static_cast<double>(nights_.size());
  median_ = median_of_sorted(sorted_);
  const double deviation =
      to_deviation * spread_of_sorted(sorted_, median_) * n / (n - small_sample);
  noise_ = std::max(deviation, parameters_.least_noise);
  autocorrelation_ = lag_one_autocorrelation(nights_, median_, noise_);
}

}  // namespace hockney
