#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "benchmarks/engine/offset.hpp"

namespace hockney {

/// How the difference of two clocks changes, and the standard error of that [ticks per tick].
struct Drift {
  double slope = 0;
  double error = 0;
};

/// Ordinary least squares through offsets over time. nullopt with fewer than three offsets, which
/// tell no error, or when all are of one instant.
std::optional<Drift> fit_drift(std::span<const Offset> offsets);

/// The global time that belongs to a reading t of one clock: G(t) = t - (estimate + slope (t -
/// at)). Only the small difference from the anchor meets a floating-point number, so nothing is
/// lost however long the machine has been up. The default is the global clock itself.
struct ClockModel {
  Offset anchor{.drift = 0};  ///< the offset that the line goes through, with its certain bound
  double slope = 0;           ///< [ticks per tick]; 0 when the offset alone is used
  double rate_error = 0;      ///< standard error of what is left of the drift [ticks per tick]
  bool slope_used = false;    ///< false: not significant, or learnt too briefly to extrapolate

  [[nodiscard]] std::int64_t to_global(std::int64_t local) const;
  /// The reading of the clock at a global instant, to within one tick.
  [[nodiscard]] std::int64_t to_local(std::int64_t global) const;
  /// What the error at a local instant cannot exceed, whatever the drift is within its limit.
  [[nodiscard]] std::int64_t certain_bound(std::int64_t local) const;
  /// What the error is expected to be `horizon` ticks after the anchor [ticks].
  [[nodiscard]] double predicted_error(double horizon) const;

  friend bool operator==(const ClockModel&, const ClockModel&) = default;
};

/// A model from offsets in order of time, for use over `horizon` ticks: the offset is what all of
/// them say of the last instant. The slope is fitted without offsets whose own bounds show them
/// disturbed; it is used when it is beyond three standard errors, is no more than clocks can drift,
/// was learnt over at least a tenth of the horizon (learnt over less, it makes matters worse), and
/// shows in both halves.
/// nullopt without offsets.
std::optional<ClockModel> fit_clock(std::span<const Offset> offsets, double horizon);

}  // namespace hockney
