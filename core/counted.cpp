#include "core/counted.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/statistics.hpp"

namespace hockney {

std::vector<bool> counted_visits(const Series& series) {
  const auto warm_up = static_cast<std::ptrdiff_t>(
      std::min(series.visits.size(), static_cast<std::size_t>(series.warm_up_visits)));
  std::vector<bool> counted(series.visits.size(), true);
  std::fill_n(counted.begin(), warm_up, false);
  const std::vector<double>& controls = series.controls_seconds;
  if (controls.size() != counted.size() || warm_up == std::ssize(controls)) return counted;
  const double limit = calm_limit * *std::min_element(controls.begin() + warm_up, controls.end());
  for (std::size_t visit = 0; visit < counted.size(); ++visit) {
    counted[visit] = counted[visit] && controls[visit] <= limit;
  }
  return counted;
}

std::vector<double> counted_samples(const Series& series) {
  if (series.counted) throw std::logic_error("the samples of a series that were dropped");
  if (series.controls_seconds.empty() && series.warm_up_visits == 0) return series.samples_seconds;
  const std::vector<bool> counted = counted_visits(series);
  std::vector<double> samples;
  auto next = series.samples_seconds.begin();
  for (std::size_t visit = 0; visit < counted.size(); ++visit) {
    const auto last = next + series.visits[visit];
    if (counted[visit]) samples.insert(samples.end(), next, last);
    next = last;
  }
  return samples;
}

CountedSamples counted(const Series& series) {
  if (series.counted) return *series.counted;
  const std::vector<double> samples = counted_samples(series);
  return {.number = samples.size(), .median_seconds = median(samples)};
}

void drop_samples(Series& series) {
  series.counted = counted(series);
  for (auto* numbers : {&series.samples_seconds, &series.starts_seconds, &series.page_faults,
                        &series.skews_seconds}) {
    *numbers = std::vector<double>();  // {} would keep the memory
  }
}

}  // namespace hockney
