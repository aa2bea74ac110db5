#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>

#include "benchmarks/engine/prepared.hpp"

namespace hockney {

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

}  // namespace hockney
