#include "verdicts/health/autocorrelation.hpp"

#include <algorithm>
#include <cmath>

namespace hockney {
namespace {

constexpr double most_correlated = 0.9;  // beyond it, whitening would divide by next to nothing

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
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(optimum)), 1,
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

}  // namespace hockney
