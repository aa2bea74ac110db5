#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/engine/clock.hpp"
#include "benchmarks/engine/prepared.hpp"

namespace hockney {

/// Of most tests [s]; a power of two keeps every quotient exact.
inline constexpr double tick = 0x1p-20;

/// A clock that moves only when told to, or by a script of costs of its own readings.
class FakeClock final : public benchmarks::TickClock {
 public:
  /// Reading number i moves the clock by reading_costs[i modulo their number] ticks after it.
  explicit FakeClock(double seconds_per_tick, std::vector<std::int64_t> reading_costs = {0})
      : seconds_per_tick_(seconds_per_tick), reading_costs_(std::move(reading_costs)) {}

  std::int64_t now() override {
    const std::int64_t reading = ticks_;
    ticks_ += reading_costs_[readings_++ % reading_costs_.size()];
    return reading;
  }
  [[nodiscard]] double seconds_per_tick() const override { return seconds_per_tick_; }
  [[nodiscard]] std::string source() const override { return "fake"; }

  void advance(std::int64_t ticks) { ticks_ += ticks; }
  [[nodiscard]] std::size_t readings() const { return readings_; }

 private:
  double seconds_per_tick_;
  std::vector<std::int64_t> reading_costs_;
  std::int64_t ticks_ = 1'000'000'000'000;  // a machine that has been up for a while
  std::size_t readings_ = 0;
};

/// What the engine called, in order: "barrier", "batch 25", "maximum 3", "from_first 7".
using CallLog = std::vector<std::string>;

/// An operation that takes exactly so many ticks, and in chosen batches some more.
class FakeOperation final : public benchmarks::PreparedOperation {
 public:
  FakeOperation(FakeClock& clock, std::int64_t ticks) : clock_(clock), ticks_(ticks) {}

  /// Batch number `batch`, from 0 on, takes `ticks` longer.
  void disturb(std::size_t batch, std::int64_t ticks) { disturbances_[batch] = ticks; }
  void log_to(CallLog& log) { log_ = &log; }
  void limit_to(std::int64_t iterations) { most_iterations_ = iterations; }

  void run_batch(std::int64_t iterations) override {
    if (log_ != nullptr) log_->push_back("batch " + std::to_string(iterations));
    const auto disturbance = disturbances_.find(batches_.size());
    if (disturbance != disturbances_.end()) clock_.advance(disturbance->second);
    clock_.advance(iterations * ticks_);
    batches_.push_back(iterations);
  }
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const override {
    return most_iterations_;
  }
  void refill(std::uint64_t, std::int64_t) override {}
  [[nodiscard]] bool verify() override { return true; }

  /// The length of every batch that was run.
  [[nodiscard]] const std::vector<std::int64_t>& batches() const { return batches_; }

 private:
  FakeClock& clock_;
  std::int64_t ticks_;
  std::map<std::size_t, std::int64_t> disturbances_;
  std::vector<std::int64_t> batches_;
  CallLog* log_ = nullptr;
  std::optional<std::int64_t> most_iterations_;
};

/// A group of one rank: nothing to agree on.
class SoloTeam final : public benchmarks::RankGroup {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  void barrier() override {}
  void pass(int, int) override {}
  std::int64_t from_first(std::int64_t value) override { return value; }
  void maximum(std::span<double>) override {}
};

/// The second of two ranks, which writes down what is called. Its partner's times are
/// `partner_factor` times its own, and the partner's answers come from `first_answers` in turn
/// (its own where they run out).
class RecordingTeam final : public benchmarks::RankGroup {
 public:
  explicit RecordingTeam(CallLog& log, double partner_factor = 1,
                         std::vector<std::int64_t> first_answers = {})
      : log_(log), partner_factor_(partner_factor), first_answers_(std::move(first_answers)) {}

  [[nodiscard]] int rank() const override { return 1; }
  [[nodiscard]] int size() const override { return 2; }
  void barrier() override { log_.emplace_back("barrier"); }
  void pass(int to, int from) override {
    log_.push_back("pass " + std::to_string(to) + " " + std::to_string(from));
  }
  std::int64_t from_first(std::int64_t value) override {
    log_.push_back("from_first " + std::to_string(value));
    return answered_ < first_answers_.size() ? first_answers_[answered_++] : value;
  }
  void maximum(std::span<double> values) override {
    log_.push_back("maximum " + std::to_string(values.size()));
    for (double& value : values) value = std::max(value, value * partner_factor_);
  }

 private:
  CallLog& log_;
  double partner_factor_;
  std::vector<std::int64_t> first_answers_;
  std::size_t answered_ = 0;
};

}  // namespace hockney
