#pragma once

#include <cstdint>
#include <optional>

namespace hockney {

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

}  // namespace hockney
