#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace hockney {

/// Where two parts of a series differ most.
struct EnergySplit {
  std::size_t first_after = 0;  ///< index of the first value of the second part
  double statistic = 0;         ///< [unit of the values]
};

/// Where the second part may begin; each part has at least 2 values besides.
struct SplitRange {
  std::size_t earliest = 2;
  std::size_t latest = std::numeric_limits<std::size_t>::max();
};

/// The split that maximises the energy distance between both parts, n m / (n + m) times
/// 2 E|X - Y| - E|X - X'| - E|Y - Y'| over distinct values (Szekely and Rizzo 2005; E-divisive of
/// Matteson and James 2014, JASA 109, with alpha = 1 and one change). nullopt where the range
/// leaves no split. O(n^2).
std::optional<EnergySplit> energy_split(std::span<const double> values,
                                        const SplitRange& range = {});

}  // namespace hockney
