#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hockney::health {

/// Probability of a value at least as large, from a pool of values of healthy nodes and nights. Up
/// to the largest 1 % it is the share of the pool. Beyond, it falls with a power of the value,
/// which follows from the 1 % and 5 % quantiles: a Pareto tail, so that noise with spikes is not
/// taken for normal noise.
class NoiseTail {
 public:
  /// Fewest values of a pool.
  static constexpr std::size_t fewest = 100;

  /// At least `fewest` values. At most 20 000 of them, evenly spaced, are used.
  explicit NoiseTail(std::span<const float> pool);

  /// -ln of the probability.
  [[nodiscard]] double score(double value) const;

 private:
  std::vector<float> sorted_;
  double anchor_ = 0;  ///< the 1 % quantile
  double share_ = 0;   ///< of values beyond the anchor
  double power_ = 1;
};

}  // namespace hockney::health
