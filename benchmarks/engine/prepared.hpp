#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "benchmarks/engine/clock.hpp"

namespace hockney::benchmarks {

/// An operation with its buffers and communicator. Its type is erased here, once for each batch;
/// inside run_batch the operation is inlined.
class PreparedOperation {
 public:
  virtual ~PreparedOperation() = default;

  /// Runs the operation `iterations` times, and nothing else.
  virtual void run_batch(std::int64_t iterations) = 0;
  /// Restores what the previous sample consumed; before every sample, untimed.
  virtual void ready() {}
  /// Sets the computation beside each iteration, in rounds of spin(); 0 before the first call.
  virtual void set_work(double) {}
  /// Most iterations after one refill, if each needs separate buffers; nullopt if all use the same.
  [[nodiscard]] virtual std::optional<std::int64_t> most_iterations() const = 0;
  /// Prepares buffers for `iterations` iterations: fills the data to send with a pattern from
  /// `seed`, poisons the receive buffers, and brings both into the point's cache state.
  virtual void refill(std::uint64_t seed, std::int64_t iterations) = 0;
  /// Whether the data received since refill, in any buffer, are the sent ones.
  [[nodiscard]] virtual bool verify() = 0;
  /// Number of deliveries that verify() checks: all since refill if iterations have separate
  /// buffers; 1 if each overwrites the previous one.
  [[nodiscard]] virtual std::int64_t deliveries_kept() const { return 1; }
};

/// An operation with a known slow-down, to test the sensitivity of the tool: a spin of known length
/// follows every batch. The data are those of the operation.
class Slowed final : public PreparedOperation {
 public:
  /// Calls `spin` after each batch with `extra_rounds` times its iterations.
  Slowed(std::unique_ptr<PreparedOperation> operation, std::function<void(std::int64_t)> spin,
         double extra_rounds)
      : operation_(std::move(operation)), spin_(std::move(spin)), extra_rounds_(extra_rounds) {}

  void run_batch(std::int64_t iterations) override {
    operation_->run_batch(iterations);
    spin_(std::llround(extra_rounds_ * static_cast<double>(iterations)));
  }
  void ready() override { operation_->ready(); }
  void set_work(double rounds) override { operation_->set_work(rounds); }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return operation_->most_iterations();
  }
  void refill(std::uint64_t seed, std::int64_t iterations) override {
    operation_->refill(seed, iterations);
  }
  [[nodiscard]] bool verify() override { return operation_->verify(); }
  [[nodiscard]] std::int64_t deliveries_kept() const override {
    return operation_->deliveries_kept();
  }

 private:
  std::unique_ptr<PreparedOperation> operation_;
  std::function<void(std::int64_t)> spin_;
  double extra_rounds_;  ///< of one iteration
};

/// Consecutive deliveries that are checked at a point. A fault in one of 50 deliveries at random is
/// found with a probability of 95 % (1 - 0.98^150), and a fault in every 50th always.
inline constexpr std::int64_t deliveries_to_check = 150;

/// Share of the measuring time that checking deliveries may take.
inline constexpr double checking_share = 0.05;

/// Number of checked iterations: at least `least`, at most `most`; in between until any rank's
/// clock reaches `until`.
struct Checking {
  std::uint64_t seed = 0;  ///< of the first iteration's data and, derived from it, the next ones
  std::int64_t least = 1;
  std::int64_t most = deliveries_to_check;
  std::int64_t until = 0;  ///< [ticks]
  /// Ends even before `least` [ticks]: 150 messages of 4 MiB took 10 s on a busy machine.
  std::int64_t latest = std::numeric_limits<std::int64_t>::max();
};

struct Checked {
  std::int64_t deliveries = 0;  ///< iterations, each with data on every receiving rank
  bool is_good = true;          ///< the data were right on all ranks
};

/// Runs single iterations, each with new data, and checks the received data after each; ends at the
/// first wrong one. A timed block checks only its last iteration, as each overwrites the previous
/// data. Collective over the group, with the same arguments except `until` on every rank; the same
/// result on every rank.
Checked check_deliveries(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                         const Checking& checking);

/// Computes for `rounds` rounds without reading a clock: a reading would take longer than the
/// shortest requested times.
void spin(std::int64_t rounds);

/// Measures how many rounds of spin() take a tick, after each batch of an operation, where they
/// will be used: other ranks' load of the core changes the pace. The data are those of the
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

  /// Median over the batches; 0 for a clock that does not advance.
  [[nodiscard]] double rounds_per_tick() const;

 private:
  PreparedOperation& operation_;
  TickClock& clock_;
  std::vector<double> ticks_;  ///< of each spin
};

/// A fixed computation without memory and MPI: a few microseconds of simple arithmetic that fills a
/// core's issue slots.
void do_fixed_work();

/// Times of consecutive pieces of do_fixed_work() during `seconds` [s].
std::vector<double> record_work(TickClock& clock, double seconds);

/// Times one do_fixed_work() [s]: the noise probe. Other users of the core and a lower frequency
/// make it longer. Such users are processes, or virtual machines on the sibling thread. Beside
/// every block, it separates effects of the machine from those of MPI.
double time_noise_probe(TickClock& clock);

/// Waits until the CPUs of a group have no other users.
class NoiseWatch {
 public:
  /// Takes noise probes, all ranks at the same time. Ends when the slowest rank's is undisturbed
  /// (core/samples.hpp) in comparison with the shortest so far, or after `patience_seconds`.
  /// Returns the last probe [s], the same on every rank. Collective over the group.
  double wait(RankGroup& group, TickClock& clock, double patience_seconds);

 private:
  double shortest_seconds_ = std::numeric_limits<double>::max();
};

}  // namespace hockney::benchmarks
