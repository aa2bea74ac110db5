#include "models/collectives/collective_predict.hpp"

#include <algorithm>

namespace hockney {
namespace {

/// |T - t|/t of the model's time T and the true time t, so that t is from T/(1 + e) to T/(1 - e).
double worst_error(const FormErrors& errors) {
  constexpr double most = 0.9;  // of a model as wrong as that, no upper end is known
  return std::min(most, errors.held_out_worst ? errors.held_out_worst->relative : errors.maximum);
}

}  // namespace

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
    const double error = worst_error(fit.model.errors);
    interval->low = std::min(interval->low, *seconds) / (1 + error);
    interval->high = std::max(interval->high, *seconds) / (1 - error);
  }
  const std::vector<int> ranks = fit.curve.ranks();
  prediction.extrapolated.most_ranks = ranks.back();
  prediction.extrapolated.in_ranks = work.ranks < ranks.front() || work.ranks > ranks.back();
  const auto& segments = fit.model.segments;
  prediction.extrapolated.in_bytes =
      work.bytes < segments.front().from || work.bytes > segments.back().to;
  return prediction;
}

}  // namespace hockney
