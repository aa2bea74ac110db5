#include "placement/network/density_valleys.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "core/error.hpp"
#include "core/statistics.hpp"

namespace hockney::placement {
namespace {

constexpr double narrowest = 0.01;       // of kernels, in logarithms
constexpr double empty = 0.05;           // so low a valley is a gap
constexpr double certain = 2.5;          // standard deviations, for valleys that are no gaps
constexpr double deep = 0.7;             // a valley is at most so high as the lower hill beside it
constexpr double reach = 4;              // of a kernel, in its widths
constexpr double points_in_a_width = 4;  // of the grid
constexpr std::size_t many = 30;         // values, of which stray ones are no kind
constexpr std::size_t fewest_of_many = 3;
constexpr std::size_t too_few = 5;  // to tell a gap between them from chance

/// The sum of squares about their mean.
double squares_of(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

/// The spread of few values on either side of their widest gap: with the gap, it would hide it.
double spread_beside_gap(std::span<const double> sorted) {
  std::size_t widest = 1;
  for (std::size_t i = 2; i < sorted.size(); ++i) {
    if (sorted[i] - sorted[i - 1] > sorted[widest] - sorted[widest - 1]) widest = i;
  }
  const double squares = squares_of(sorted.first(widest)) + squares_of(sorted.subspan(widest));
  return std::sqrt(squares / static_cast<double>(sorted.size()));
}

/// The spread of many values, against long tails by the quartiles.
double spread_of_many(std::span<const double> sorted) {
  constexpr double quartiles_of_normal = 1.349;
  const double quartiles =
      (quantile(sorted, 0.75).value_or(0) - quantile(sorted, 0.25).value_or(0)) /
      quartiles_of_normal;
  const double deviation = std::sqrt(squares_of(sorted) / static_cast<double>(sorted.size()));
  return quartiles > 0 ? std::min(deviation, quartiles) : deviation;
}

double kernel_width(std::span<const double> sorted) {
  const double spread = sorted.size() < many ? spread_beside_gap(sorted) : spread_of_many(sorted);
  return std::max(narrowest, 0.9 * spread * std::pow(static_cast<double>(sorted.size()), -1.0 / 5));
}

/// The density at even distances over the values.
struct Density {
  double first = 0;
  double step = 1;
  std::vector<double> heights;

  [[nodiscard]] double at(std::size_t point) const {
    return first + step * static_cast<double>(point);
  }
};

Density density_of(std::span<const double> sorted) {
  const double width = kernel_width(sorted);
  Density density{
      .first = sorted.front() - width, .step = width / points_in_a_width, .heights = {}};
  const double length = sorted.back() + width - density.first;
  density.heights.assign(static_cast<std::size_t>(length / density.step) + 2, 0);
  const auto last = static_cast<std::ptrdiff_t>(density.heights.size()) - 1;
  for (const double value : sorted) {
    const double middle = (value - density.first) / density.step;
    const double far = reach * points_in_a_width;
    const auto from = std::max<std::ptrdiff_t>(0, std::lround(middle - far));
    const auto to = std::min<std::ptrdiff_t>(last, std::lround(middle + far));
    for (std::ptrdiff_t i = from; i <= to; ++i) {
      const double away = (static_cast<double>(i) - middle) / points_in_a_width;
      density.heights[static_cast<std::size_t>(i)] += std::exp(-away * away / 2);
    }
  }
  return density;
}

/// Whether a valley is there, and not by chance. A height is a sum of kernels, whose variance is
/// their squares' sum, the height over the root of 2.
bool is_valley(double height, double hill) {
  if (height <= empty * hill) return true;
  const double deviation = std::sqrt((height + hill) / std::numbers::sqrt2);
  return height <= deep * hill && hill - height >= certain * deviation;
}

/// The deepest valley between two hills: the middle of where the density is lowest, as a share of
/// the lower hill, between these values; nullopt where none is deep.
std::optional<double> deepest_valley(const Density& density, double from, double to) {
  const std::vector<double>& heights = density.heights;
  std::vector<double> before(heights.size());  // the highest up to each point
  std::vector<double> after(heights.size());
  double highest = 0;
  for (std::size_t i = 0; i < heights.size(); ++i)
    before[i] = highest = std::max(highest, heights[i]);
  highest = 0;
  for (std::size_t i = heights.size(); i-- > 0;) after[i] = highest = std::max(highest, heights[i]);
  double least = deep;
  std::size_t first = heights.size();  // of the points at the bottom, which are side by side
  std::size_t last = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double hill = std::min(before[i], after[i]);
    const double share = heights[i] / hill;
    const bool is_outside = density.at(i) <= from || density.at(i) >= to;
    if (is_outside || share > least || !is_valley(heights[i], hill)) continue;
    const bool is_deeper = first == heights.size() || share < least;
    if (is_deeper) first = i;
    if (is_deeper || last + 1 == i) last = i;
    least = share;
  }
  if (first == heights.size()) return std::nullopt;
  return (density.at(first) + density.at(last)) / 2;
}

void add_valleys(std::span<const double> sorted,
                 std::vector<double>& cuts) {  // NOLINT(misc-no-recursion)
  if (sorted.size() <= too_few) return;
  const std::size_t fewest = sorted.size() < many ? 1 : fewest_of_many;
  const auto valley =
      deepest_valley(density_of(sorted), sorted[fewest - 1], sorted[sorted.size() - fewest]);
  if (!valley) return;
  const auto middle = std::ranges::lower_bound(sorted, *valley);
  if (middle == sorted.begin() || middle == sorted.end()) return;
  add_valleys({sorted.begin(), middle}, cuts);
  cuts.push_back(std::exp((*std::prev(middle) + *middle) / 2));
  add_valleys({middle, sorted.end()}, cuts);
}

}  // namespace

std::vector<double> density_valleys(std::vector<double> values) {
  for (double& value : values) {
    if (!std::isfinite(value) || value <= 0) {
      throw InputError({"a time that is not above 0", "its logarithm is asked for",
                        "give times that were measured"});
    }
    value = std::log(value);
  }
  std::ranges::sort(values);
  std::vector<double> cuts;
  add_valleys(values, cuts);
  return cuts;
}

}  // namespace hockney::placement
