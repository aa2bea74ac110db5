#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/statistics.hpp"

namespace hockney {

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

}  // namespace hockney
