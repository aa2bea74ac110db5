#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/statistics.hpp"

namespace hockney::health {

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

struct DatingOptions {
  std::size_t latest = 0;       ///< the new level began at this night (an index) or before
  std::size_t resamples = 250;  ///< of the bootstrap, 40 at least
  std::uint64_t seed = 1;
};

/// When a level changed and by how much. Indices are those of the nights given.
struct LevelChange {
  std::size_t first = 0;     ///< first night of the new level
  std::size_t earliest = 0;  ///< 95 % of the bootstrap date it from here ...
  std::size_t latest = 0;    ///< ... to here
  double change = 0;         ///< ratio of the levels - 1, new : old
  Interval interval;         ///< of `change`
};

/// Dates and sizes the change of a series of logarithms, which something else has found: it always
/// answers with the most likely split (energy_split), at `options.latest` at most. The size is the
/// difference of the medians of both sides; its interval, and the days, are from a moving-block
/// bootstrap (Kuensch 1989) of the pooled deviations from them, so that few nights of the new level
/// borrow the noise of the old one. nullopt for fewer than 7 nights, or `latest` below 5.
std::optional<LevelChange> date_change(std::span<const double> log_values,
                                       const DatingOptions& options);

}  // namespace hockney::health
