#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"

namespace hockney::benchmarks {

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

/// A piece of work without memory and without MPI: a few microseconds of simple arithmetic that
/// keeps a core's issue slots full.
void do_fixed_work();

/// The times of pieces of do_fixed_work(), one directly after the other for so many seconds [s].
std::vector<double> record_work(TickClock& clock, double seconds);

/// Times a piece of do_fixed_work() [s]. Whoever else runs on the core at that moment, be it a
/// process or a neighbour of this virtual machine on the sibling thread, makes it slower, as does a
/// lower frequency. Taken beside every block, it tells what the machine did from what MPI did.
double time_noise_probe(TickClock& clock);

/// Waits for moments when nobody else is at work on the CPUs of a group.
class NoiseWatch {
 public:
  /// Takes noise probes, all ranks at the same time, until the slowest rank's is undisturbed
  /// (core/samples.hpp) compared with the shortest so far, or `patience_seconds` are over. The last
  /// probe [s], the same on every rank. Collective over the group.
  double wait(RankGroup& group, TickClock& clock, double patience_seconds);

 private:
  double shortest_seconds_ = std::numeric_limits<double>::max();
};

}  // namespace hockney::benchmarks
