#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "benchmarks/engine/clock_model.hpp"
#include "core/provenance.hpp"

namespace hockney::benchmarks {

/// The ranks that run one operation together. Every member calls the same functions in the same
/// order; rank 0 of the group is its first rank.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  virtual void barrier() = 0;
  /// An empty message to one rank of the group, and one from another.
  virtual void pass(int to, int from) = 0;
  /// The first rank's value, on every rank.
  virtual std::int64_t from_first(std::int64_t value) = 0;
  /// Element by element the largest value of any rank, on every rank.
  virtual void maximum(std::span<double> values) = 0;
};

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

/// The facts that all ranks of a group go by: the largest resolution and cost of any of them.
/// Collective. Ranks examine their clocks each for themselves and never find quite the same; what
/// is chosen from their findings must be the same everywhere, or their calls no longer match.
Clock coarsest(Clock own, RankGroup& group);

/// The clock that all ranks of a job share, as this rank reads it: its own clock, converted. Global
/// ticks are ticks of rank 0's clock.
class GlobalClock final : public TickClock {
 public:
  /// `clock` must outlive it. `bound_seconds` is the largest bound of any rank, so that the global
  /// clocks of two ranks are at most twice as far apart.
  GlobalClock(TickClock& clock, const ClockModel& model, double bound_seconds)
      : clock_(&clock), model_(model), bound_seconds_(bound_seconds) {}

  std::int64_t now() override { return model_.to_global(clock_->now()); }
  [[nodiscard]] std::string source() const override { return clock_->source(); }

  [[nodiscard]] std::int64_t to_global(std::int64_t local) const { return model_.to_global(local); }
  /// What the own clock shows at a global instant: convert a deadline once, then watch the clock.
  [[nodiscard]] std::int64_t to_local(std::int64_t global) const { return model_.to_local(global); }

  [[nodiscard]] TickClock& local() const { return *clock_; }
  [[nodiscard]] double seconds_per_tick() const override { return clock_->seconds_per_tick(); }
  [[nodiscard]] const ClockModel& model() const { return model_; }
  /// How far this clock was from rank 0's at most, when it was set [s].
  [[nodiscard]] double bound_seconds() const { return bound_seconds_; }

 private:
  TickClock* clock_;
  ClockModel model_;
  double bound_seconds_;
};

}  // namespace hockney::benchmarks
