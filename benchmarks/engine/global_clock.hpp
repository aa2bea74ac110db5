#pragma once

#include <cstdint>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/clock_model.hpp"

namespace hockney {

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

}  // namespace hockney
