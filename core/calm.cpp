#include "core/calm.hpp"

#include <algorithm>

namespace hockney {

std::vector<bool> calm_visits(const Series& series) {
  if (series.controls_seconds.empty()) return std::vector<bool>(series.visits.size(), true);
  const double limit = calm_limit * std::ranges::min(series.controls_seconds);
  std::vector<bool> calm;
  for (const double control : series.controls_seconds) calm.push_back(control <= limit);
  return calm;
}

std::vector<double> calm_samples(const Series& series) {
  if (series.controls_seconds.empty()) return series.samples_seconds;
  const std::vector<bool> calm = calm_visits(series);
  std::vector<double> samples;
  auto next = series.samples_seconds.begin();
  for (std::size_t visit = 0; visit < calm.size(); ++visit) {
    const auto last = next + series.visits[visit];
    if (calm[visit]) samples.insert(samples.end(), next, last);
    next = last;
  }
  return samples;
}

}  // namespace hockney
