#include "models/collectives/collective_predict.hpp"

#include <algorithm>

namespace hockney {

std::optional<CollectivePrediction> predict(const CollectiveFit& fit, const Workload& work) {
  const auto seconds = fit.model.at(work);
  if (!seconds) return std::nullopt;
  CollectivePrediction prediction{.seconds = *seconds, .held_out = fit.model.errors.held_out};
  std::vector<double> launches;
  for (const FormFit& launch : fit.launches) {
    if (const auto time = launch.at(work)) launches.push_back(*time);
  }
  prediction.interval = quantile_interval(launches);
  if (auto& interval = prediction.interval) {
    interval->low = std::min(interval->low, *seconds);
    interval->high = std::max(interval->high, *seconds);
  }
  const std::vector<int> ranks = fit.curve.ranks();
  prediction.extrapolated.in_ranks = work.ranks < ranks.front() || work.ranks > ranks.back();
  const auto& segments = fit.model.segments;
  prediction.extrapolated.in_bytes =
      work.bytes < segments.front().from || work.bytes > segments.back().to;
  return prediction;
}

}  // namespace hockney
