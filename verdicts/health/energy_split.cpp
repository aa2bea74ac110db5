#include "verdicts/health/energy_split.hpp"

#include <algorithm>
#include <cmath>

namespace hockney {
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

}  // namespace hockney
