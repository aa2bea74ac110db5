#pragma once

#include <cstdint>
#include <string>

#include "benchmarks/engine/team.hpp"
#include "core/provenance.hpp"

namespace hockney {

/// A clock that only moves forward. Readings are whole ticks, so that differences stay exact
/// however long the machine has been up.
class TickClock {
 public:
  virtual ~TickClock() = default;

  virtual std::int64_t now() = 0;                             ///< [ticks]
  [[nodiscard]] virtual double seconds_per_tick() const = 0;  ///< [s]
  [[nodiscard]] virtual std::string source() const = 0;       ///< name for the record
};

/// Smallest positive step and median cost of a reading, from `readings` back-to-back readings. Both
/// are 0 for a clock that stands still while the program computes, as in a simulator.
Clock examine(TickClock& clock, int readings = 2000);

/// The facts that all ranks of a team go by: the largest resolution and cost of any of them.
/// Collective. Ranks examine their clocks each for themselves and never find quite the same; what
/// is chosen from their findings must be the same everywhere, or their calls no longer match.
Clock coarsest(Clock own, Team& team);

}  // namespace hockney
