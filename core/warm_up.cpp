#include "core/warm_up.hpp"

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"

namespace hockney {
namespace {

constexpr std::size_t fewest_epochs = 8;

/// One value for each epoch; nullopt where there is none.
using Epochs = std::vector<std::optional<double>>;

/// The logarithm of the median of every visit that counts.
Epochs visit_levels(const Series& series) {
  const std::vector<bool> counted = counted_visits(series);
  Epochs levels;
  auto next = series.samples_seconds.begin();
  for (std::size_t visit = 0; visit < series.visits.size(); ++visit) {
    const auto last = next + series.visits[visit];
    const auto middle = median(std::vector<double>(next, last));
    const bool known = counted[visit] && middle && *middle > 0;
    levels.push_back(known ? std::optional(std::log(*middle)) : std::nullopt);
    next = last;
  }
  return levels;
}

std::vector<double> known_of(const Epochs& epochs, std::size_t from) {
  std::vector<double> known;
  for (std::size_t epoch = from; epoch < epochs.size(); ++epoch) {
    if (const auto& level = epochs[epoch]) known.push_back(*level);
  }
  return known;
}

/// How far each epoch was above the second half of the launch, median over the series.
Epochs pooled(const std::vector<Series>& series, std::size_t epochs) {
  std::vector<std::vector<double>> above(epochs);
  for (const Series& each : series) {
    const Epochs levels = visit_levels(each);
    const auto settled = hodges_lehmann(known_of(levels, levels.size() / 2));
    for (std::size_t epoch = 0; settled && epoch < levels.size(); ++epoch) {
      if (const auto& level = levels[epoch]) above[epoch].push_back(*level - *settled);
    }
  }
  Epochs medians;
  for (const std::vector<double>& of_epoch : above) medians.push_back(median(of_epoch));
  return medians;
}

}  // namespace

int warm_up_epochs(const std::vector<Series>& series) {
  std::size_t epochs = 0;
  for (const Series& each : series) epochs = std::max(epochs, each.visits.size());
  if (epochs < fewest_epochs) return 0;
  const Epochs above = pooled(series, epochs);
  const auto spread = median_absolute_deviation(known_of(above, epochs / 2));
  const double robust_deviation = 1.4826 * spread.value_or(0);
  const double limit = std::max(5 * robust_deviation, std::log(1.01));
  std::size_t warm_up = 0;
  while (warm_up < epochs / 2 && above[warm_up].value_or(0) > limit) ++warm_up;
  return static_cast<int>(warm_up);
}

}  // namespace hockney
