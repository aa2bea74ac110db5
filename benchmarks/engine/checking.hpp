#pragma once

#include <cstdint>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/team.hpp"

namespace hockney {

/// Deliveries in a row that are checked at a point: of faults that hit one in 50, each by itself,
/// 95 % are met by so many (1 - 0.98^150), and of those that hit every 50th, all.
inline constexpr std::int64_t deliveries_to_check = 150;

/// Of the time for measuring, what may be spent on checking deliveries.
inline constexpr double checking_share = 0.05;

/// How many iterations are checked: at least `least`; more until the clock shows `until` on any
/// rank, but no more than `most`.
struct Checking {
  std::uint64_t seed = 0;  ///< of the first iteration's data; the next ones are drawn from it too
  std::int64_t least = 1;
  std::int64_t most = deliveries_to_check;
  std::int64_t until = 0;  ///< [ticks]
};

struct Checked {
  std::int64_t deliveries = 0;  ///< iterations, each with data on every rank that receives
  bool is_good = true;          ///< on all ranks
};

/// Runs the operation one iteration at a time, each with new data, and looks at what arrived after
/// each; ends with the first that is wrong. A visit that is timed looks once, at its end: what one
/// iteration left, the next one has overwritten. Collective over the team, with the same numbers
/// but `until` on every rank; the same answer on every rank.
Checked check_deliveries(PreparedOperation& operation, Team& team, TickClock& clock,
                         const Checking& checking);

}  // namespace hockney
