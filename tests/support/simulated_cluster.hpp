#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "benchmarks/engine/clock.hpp"

namespace hockney {

/// A clock of whole nanoseconds whose offset and drift are known.
struct SimulatedClock {
  std::int64_t offset = 0;  ///< [ns] ahead of true time at time 0
  double drift = 0;         ///< faster than true time by this fraction

  [[nodiscard]] std::int64_t read(double time) const {
    return offset + static_cast<std::int64_t>(std::floor(time + drift * time));
  }
};

/// Delays of messages as bad as they come: one direction of a connection is slower than the other,
/// most messages are a little late, some much (Pareto), and a few stand in a queue for a
/// millisecond.
class HostileDelays {
 public:
  explicit HostileDelays(std::uint64_t seed) : engine_(seed) {}

  /// Delay of a message from one participant to another [ns].
  double draw(int from, int to) {
    const double base = 500 + (from < to ? 0.0 : 300.0 * ((from + to) % 7));
    const double tail = 50 / std::pow(1 - uniform_(engine_), 1.0 / 1.2);
    return base + tail + (uniform_(engine_) < 0.01 ? 1e6 * uniform_(engine_) : 0.0);
  }

 private:
  std::mt19937_64 engine_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

/// Participants with clocks of their own that learn from each other over hostile connections. One
/// thread plays all: a parent's number is lower than its child's, so whoever learns asks somebody
/// who has already learnt in this pass.
class SimulatedCluster {
 public:
  SimulatedCluster(std::vector<SimulatedClock> clocks, std::uint64_t seed,
                   const benchmarks::Effort& effort)
      : clocks_(std::move(clocks)), delays_(seed) {
    for (int number = 0; number < size(); ++number) {
      learners_.emplace_back(number, size(), effort);
    }
  }

  /// One pass of everybody, after a pause of so much true time [ns].
  void pass(double pause) {
    time_ += pause;
    for (int number = 0; number < size(); ++number) {
      Line line(*this, number);
      learners_[static_cast<std::size_t>(number)].pass(line);
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(clocks_.size()); }
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] const benchmarks::TreeLearner& learner(int number) const {
    return learners_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] const SimulatedClock& clock(int number) const {
    return clocks_[static_cast<std::size_t>(number)];
  }
  /// From now on `number` shows so much more: somebody sets the clock.
  void set_clock(int number, std::int64_t step) {
    clocks_[static_cast<std::size_t>(number)].offset += step;
  }
  /// The same, but after so many more questions.
  void set_clock_later(int number, std::int64_t step, int questions) {
    step_ = {number, step, questions};
  }

 private:
  struct Step {
    int number = 0;
    std::int64_t step = 0;
    int questions = 0;
  };

  class Line final : public benchmarks::Exchange {
   public:
    Line(SimulatedCluster& cluster, int number) : cluster_(cluster), number_(number) {}

    std::int64_t now() override {
      cluster_.time_ += 20;  // what a reading costs
      return cluster_.clock(number_).read(cluster_.time_);
    }
    std::int64_t query(int parent) override {
      cluster_.count_question();
      cluster_.time_ += cluster_.delays_.draw(number_, parent);
      const std::int64_t reading = cluster_.clock(parent).read(cluster_.time_);
      cluster_.time_ += cluster_.delays_.draw(parent, number_);
      const auto& known = cluster_.learner(parent).known();
      return known ? reading - known->estimate : reading;
    }
    std::optional<std::int64_t> finish(int parent) override {
      const auto& known = cluster_.learner(parent).known();
      if (!known) return std::nullopt;
      return bound_at(*known, cluster_.clock(parent).read(cluster_.time_));
    }
    void teach(int, const std::optional<benchmarks::Offset>&) override {}

   private:
    SimulatedCluster& cluster_;
    int number_;
  };

  void count_question() {
    if (step_.questions > 0 && --step_.questions == 0) set_clock(step_.number, step_.step);
  }

  std::vector<SimulatedClock> clocks_;
  HostileDelays delays_;
  std::vector<benchmarks::TreeLearner> learners_;
  double time_ = 5e9;  ///< true time [ns]; everybody has been up for a while
  Step step_;
};

/// Clocks seconds apart that drift by up to `drift`, in one cluster or another.
inline std::vector<SimulatedClock> random_clocks(int count, double drift, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<std::int64_t> offset(-10'000'000'000, 10'000'000'000);
  std::uniform_real_distribution<double> rate(-drift, drift);
  std::vector<SimulatedClock> clocks;
  for (int i = 0; i < count; ++i) clocks.push_back({offset(engine), rate(engine)});
  return clocks;
}

}  // namespace hockney
