#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace hockney::benchmarks {

/// By how much the difference of two clocks can change at most, as a fraction of the time that
/// passes: quartz oscillators are within 50 ppm of their nominal frequency, two of them within
/// 100 ppm of each other (and 1 ppm more for the second order).
inline constexpr double drift_limit = 101e-6;

/// How far the own clock is ahead of a reference clock at one instant of the own clock. The truth
/// is within `bound` of the estimate for certain, not with some probability. All in ticks.
struct Offset {
  std::int64_t at = 0;
  std::int64_t estimate = 0;
  std::int64_t bound = 0;
  double drift = drift_limit;  ///< how fast the bound grows before and after [ticks per tick]

  friend bool operator==(const Offset&, const Offset&) = default;
};

/// The bound at another instant: it grows as the clocks may have drifted apart [ticks].
std::int64_t bound_at(const Offset& offset, std::int64_t at);

/// A reading of the reference clock that was taken after one and before another own reading.
struct Sandwich {
  std::int64_t before = 0;
  std::int64_t reference = 0;
  std::int64_t after = 0;
};

/// Narrows the offset between two clocks with every exchange, however asymmetric the delays of the
/// messages are (SKaMPI offset; Worsch, Reussner, Augustin 2002): an answer cannot have been given
/// before the question was asked nor after it arrived. Nothing but causality and the largest drift
/// is assumed.
class OffsetBounds {
 public:
  explicit OffsetBounds(double drift = drift_limit) : drift_(drift) {}

  void add(const Sandwich& exchange);
  /// The offset was between `low` and `high` at the own instant `at`.
  void narrow(std::int64_t at, std::int64_t low, std::int64_t high);

  /// The offset at the own instant `at`, which must not lie before the last exchange. nullopt
  /// without an exchange, and when the exchanges contradict each other: a clock was set, or drifts
  /// more than it may, and the offset must be measured anew.
  [[nodiscard]] std::optional<Offset> offset(std::int64_t at) const;

 private:
  struct Limit {
    std::int64_t at = 0;
    std::int64_t value = 0;
  };
  /// The first limit less the second when both have aged to the same instant.
  static double lead(const Limit& limit, const Limit& other, double drift);

  double drift_;
  std::optional<Limit> low_;
  std::optional<Limit> high_;
};

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

}  // namespace hockney::benchmarks
