#pragma once

#include <memory>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"

namespace hockney {

/// An operation with a known slow-down, for finding out what the tool itself would find: after
/// every batch it spins for a share of what the operation takes. Data are those of the operation.
class Slowed final : public PreparedOperation {
 public:
  /// `share` 0.1 makes it a tenth slower than `iteration_seconds`; 0 changes nothing.
  Slowed(std::unique_ptr<PreparedOperation> operation, TickClock& clock, double share,
         double iteration_seconds)
      : operation_(std::move(operation)),
        clock_(clock),
        extra_ticks_(share * iteration_seconds / clock.seconds_per_tick()) {}

  void run_batch(std::int64_t iterations) override;
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return operation_->most_iterations();
  }
  void refill(std::uint64_t seed, std::int64_t iterations) override {
    operation_->refill(seed, iterations);
  }
  [[nodiscard]] bool verify() override { return operation_->verify(); }

 private:
  std::unique_ptr<PreparedOperation> operation_;
  TickClock& clock_;
  double extra_ticks_;  ///< of one iteration
};

}  // namespace hockney
