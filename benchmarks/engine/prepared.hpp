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

/// An operation with buffers and communicator at hand. The type is erased here, once a batch;
/// inside run_batch the operation itself is inlined.
class PreparedOperation {
 public:
  virtual ~PreparedOperation() = default;

  /// The operation `iterations` times, nothing else.
  virtual void run_batch(std::int64_t iterations) = 0;
  /// What the next sample needs that the one before it used up; before every sample, untimed.
  virtual void ready() {}
  /// How much work goes on beside each iteration, in rounds of spin(); none before.
  virtual void set_work(double) {}
  /// How many iterations may follow one refill, where it gets buffers ready for each of them;
  /// nullopt where all iterations use the same ones.
  [[nodiscard]] virtual std::optional<std::int64_t> most_iterations() const = 0;
  /// Gets buffers ready for so many iterations: fills what will be sent with a pattern drawn from
  /// `seed`, spoils what will be received, and brings both into the point's cache state.
  virtual void refill(std::uint64_t seed, std::int64_t iterations) = 0;
  /// Whether what was received since refill, in any buffer, is what was sent.
  [[nodiscard]] virtual bool verify() = 0;
  /// How many deliveries verify() looks at: of every iteration since refill that has left its data
  /// in buffers of its own; 1 where each overwrites those of the one before.
  [[nodiscard]] virtual std::int64_t deliveries_kept() const { return 1; }
};

/// An operation with a known slow-down, for finding out what the tool itself would find: every
/// batch is followed by a spin of known length. Data are those of the operation.
class Slowed final : public PreparedOperation {
 public:
  /// `spin` is called after each batch with `extra_rounds` for each of its iterations.
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

/// Deliveries in a row that are checked at a point: of faults that hit one in 50, each by itself,
/// 95 % are met by so many (1 - 0.98^150), and of those that hit every 50th, all.
inline constexpr std::int64_t deliveries_to_check = 150;

/// Of the time for measuring, what may be spent on checking deliveries.
inline constexpr double checking_share = 0.05;

/// How many iterations are checked: at least `least`; more until the clock shows `until` on any
/// rank, but no more than `most`.
struct Checking {
  std::uint64_t seed = 0;  ///< of the first iteration's data; the next ones are drawn from it too
  std::int64_t least = 1;
  std::int64_t most = deliveries_to_check;
  std::int64_t until = 0;  ///< [ticks]
};

struct Checked {
  std::int64_t deliveries = 0;  ///< iterations, each with data on every rank that receives
  bool is_good = true;          ///< on all ranks
};

/// Runs the operation one iteration at a time, each with new data, and looks at what arrived after
/// each; ends with the first that is wrong. A block that is timed looks once, at its end: what one
/// iteration left, the next one has overwritten. Collective over the group, with the same numbers
/// but `until` on every rank; the same answer on every rank.
Checked check_deliveries(PreparedOperation& operation, RankGroup& group, TickClock& clock,
                         const Checking& checking);

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
