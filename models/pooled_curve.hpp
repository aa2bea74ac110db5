#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/curves.hpp"
#include "models/hockney.hpp"

namespace hockney {

/// The median over some launches of a curve, size by size.
struct PooledCurve {
  std::vector<TimedSize> points;    ///< scale = the time itself
  std::vector<std::size_t> places;  ///< index of each point in the curve's sizes
};

/// Pools the named rows of the curve's matrix; sizes that none of them has are absent.
PooledCurve pool(const Curve& curve, std::span<const std::size_t> launches);

/// 0, 1, ... of the curve's launches.
std::vector<std::size_t> all_launches(const Curve& curve);

}  // namespace hockney
