#include "components/health/detection/noise_tail.hpp"

#include <algorithm>
#include <cmath>

namespace hockney::health {
namespace {

constexpr double least_anchor = 0.002;  // [log ratio] of figures that agree better

}  // namespace

NoiseTail::NoiseTail(std::span<const float> pool) {
  constexpr std::size_t most = 20'000;
  constexpr double far_share = 0.01;
  constexpr double near_share = 0.05;
  constexpr double least_index = 0.1;
  const std::size_t step = std::max<std::size_t>(1, pool.size() / most);
  for (std::size_t i = 0; i < pool.size(); i += step) sorted_.push_back(pool[i]);
  std::ranges::sort(sorted_);
  const auto beyond = [&](double share) {
    const auto count = static_cast<std::size_t>(share * static_cast<double>(sorted_.size()));
    return static_cast<double>(sorted_[sorted_.size() - 1 - std::max<std::size_t>(count, 1)]);
  };
  anchor_ = std::max(beyond(far_share), least_anchor);
  share_ = std::max(far_share, 1 / static_cast<double>(sorted_.size()));
  const double near = std::max(beyond(near_share), least_anchor / 2);
  const double index = std::log(std::max(anchor_ / near, 1.0)) / std::log(near_share / far_share);
  power_ = 1 / std::max(index, least_index);
}

double NoiseTail::score(double value) const {
  if (value > anchor_) return power_ * std::log(value / anchor_) - std::log(share_);
  const auto above = sorted_.end() - std::ranges::upper_bound(sorted_, static_cast<float>(value));
  const double share = (static_cast<double>(above) + 1) / (static_cast<double>(sorted_.size()) + 1);
  return -std::log(std::max(share, share_));
}

}  // namespace hockney::health
