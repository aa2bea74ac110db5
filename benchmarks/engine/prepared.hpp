#pragma once

#include <cstdint>

namespace hockney {

/// An operation with buffers and communicator at hand. The type is erased here, once a batch;
/// inside run_batch the operation itself is inlined.
class PreparedOperation {
 public:
  virtual ~PreparedOperation() = default;

  /// The operation `iterations` times, nothing else.
  virtual void run_batch(std::int64_t iterations) = 0;
  /// Fills what will be sent with a pattern drawn from `seed` and spoils what will be received.
  virtual void refill(std::uint64_t seed) = 0;
  /// Whether what was received since refill is what was sent.
  [[nodiscard]] virtual bool verify() const = 0;
};

}  // namespace hockney
