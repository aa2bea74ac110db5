#include "models/pooled_curve.hpp"

#include <numeric>

#include "core/statistics.hpp"

namespace hockney {

PooledCurve pool(const Curve& curve, std::span<const std::size_t> launches) {
  PooledCurve pooled;
  std::vector<double> times;
  for (std::size_t place = 0; place < curve.sizes.size(); ++place) {
    times.clear();
    for (const std::size_t launch : launches) {
      const auto& cell = curve.medians_seconds[launch][place];
      if (cell) times.push_back(*cell);
    }
    if (times.empty()) continue;
    const double time = *median(times);
    pooled.points.push_back({static_cast<double>(curve.sizes[place].value), time, time});
    pooled.places.push_back(place);
  }
  return pooled;
}

std::vector<std::size_t> all_launches(const Curve& curve) {
  std::vector<std::size_t> launches(curve.medians_seconds.size());
  std::iota(launches.begin(), launches.end(), std::size_t{0});
  return launches;
}

}  // namespace hockney
