#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"

namespace hockney {

/// Keeps a rank busy for so many rounds of work, without reading a clock: readings would take
/// longer than the shortest times asked for.
void spin(std::int64_t rounds);

/// Finds how many rounds of spin() go into a tick where they will be needed, after each batch of an
/// operation: the pace depends on what other ranks do to the core meanwhile. Data are those of the
/// operation.
class SpinPace final : public PreparedOperation {
 public:
  SpinPace(PreparedOperation& operation, TickClock& clock) : operation_(operation), clock_(clock) {}

  void run_batch(std::int64_t iterations) override;
  void ready() override { operation_.ready(); }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return operation_.most_iterations();
  }
  void refill(std::uint64_t seed, std::int64_t iterations) override {
    operation_.refill(seed, iterations);
  }
  [[nodiscard]] bool verify() override { return operation_.verify(); }

  /// By the median over the batches; 0 on a clock that stands still.
  [[nodiscard]] double rounds_per_tick() const;

 private:
  PreparedOperation& operation_;
  TickClock& clock_;
  std::vector<double> ticks_;  ///< of each spin
};

}  // namespace hockney
