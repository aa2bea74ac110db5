#pragma once

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/engine/suites.hpp"
#include "benchmarks/engine/team.hpp"

namespace hockney {

/// Everything there is to say about a suite's measurement of one operation at one size.
struct SuiteLoop {
  SuiteTiming timing;
  Repetitions repetitions;
  std::int64_t divisor = 1;  ///< operations in one call: 2 for a round trip
};

/// The calls of a suite with the barriers after them, as one operation whose time tells how many
/// fit into a visit. Data are those of the operation.
class SuiteCalls final : public PreparedOperation {
 public:
  /// Both must outlive it.
  SuiteCalls(PreparedOperation& operation, Team& team, const SuiteTiming& timing)
      : operation_(operation), team_(team), timing_(timing) {}

  void run_batch(std::int64_t iterations) override;
  void ready() override { operation_.ready(); }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return operation_.most_iterations();
  }
  void refill(std::uint64_t seed, std::int64_t iterations) override {
    operation_.refill(seed, iterations);
  }
  [[nodiscard]] bool verify() override { return operation_.verify(); }

 private:
  PreparedOperation& operation_;
  Team& team_;
  SuiteTiming timing_;
};

/// Runs the loop and says what the suite would print, as seconds of one operation. Collective over
/// the team, with the same loop on every rank; the same answer on every rank. Ranks' clocks need
/// not agree: each time comes from one clock alone.
double time_like_suite(PreparedOperation& operation, Team& team, TickClock& clock,
                       const SuiteLoop& loop);

}  // namespace hockney
