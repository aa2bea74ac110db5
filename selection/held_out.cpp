#include "selection/held_out.hpp"

#include <cmath>
#include <set>

namespace hockney {
namespace {

constexpr std::int64_t element = 8;  ///< of double, which reductions are of [B]

/// The whole number of elements that is nearest to the middle.
std::int64_t middle(std::int64_t a, std::int64_t b) {
  const double exact = std::sqrt(static_cast<double>(a) * static_cast<double>(b));
  return element * std::llround(exact / static_cast<double>(element));
}

}  // namespace

std::vector<Bytes> held_out_sizes(std::span<const TunedPoint> points) {
  std::set<std::int64_t> measured;
  for (const TunedPoint& point : points) measured.insert(point.bytes.value);
  std::set<std::int64_t> sizes;
  std::int64_t before = 0;
  for (const std::int64_t size : measured) {
    const std::int64_t between = middle(before, size);
    if (before > 0 && between > before && between < size) sizes.insert(between);
    before = size;
  }
  if (sizes.empty()) sizes = measured;
  std::vector<Bytes> result;
  result.reserve(sizes.size());
  for (const std::int64_t size : sizes) result.push_back({size});
  return result;
}

}  // namespace hockney
