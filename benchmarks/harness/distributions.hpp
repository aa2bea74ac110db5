#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/point.hpp"

namespace hockney {

/// Elements divided among ranks, in order of ranks and without gaps.
struct Division {
  std::vector<int> counts;         ///< [elements] of each rank
  std::vector<int> displacements;  ///< [elements] of all ranks before it

  [[nodiscard]] int total() const {
    return counts.empty() ? 0 : displacements.back() + counts.back();
  }
  [[nodiscard]] int largest() const;
  [[nodiscard]] int smallest() const;
};

/// "equal", "linear", "one-heavy", "zipf", "zeros".
const std::vector<std::string>& distribution_names();

/// InputError naming the nearest distribution when there is none called `name`.
void check_distribution(const std::string& name);

/// Divides `total` elements by weights: equal 1; linear 1, 2, ... p; one-heavy 1, and of the last
/// rank 3 (p - 1), which is three quarters of all; zipf 1, 1/2, ... 1/p; zeros 1 and 0 in turn. A
/// rank's elements end at the whole part of `total` times the share of the weights up to its own,
/// so that every distribution divides exactly `total`.
Division divide(std::int64_t total, int ranks, const std::string& distribution = "equal");

/// The point's parameter "counts"; "equal" without one.
std::string distribution_of(const Point& point);

}  // namespace hockney
