#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

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

}  // namespace hockney::benchmarks
