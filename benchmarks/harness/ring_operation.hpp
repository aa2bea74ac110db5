#pragma once

#include <cstdint>
#include <optional>

#include "benchmarks/engine/prepared.hpp"
#include "benchmarks/harness/buffer_ring.hpp"

namespace hockney::benchmarks {

/// A prepared operation without its type: fills and checks the places of a ring of buffers. No
/// template, because it is not timed and there are some 170 types.
class RingOperation : public PreparedOperation {
 public:
  [[nodiscard]] std::optional<std::int64_t> most_iterations() const final;
  void refill(std::uint64_t seed, std::int64_t iterations) final;
  [[nodiscard]] bool verify() final;
  [[nodiscard]] std::int64_t deliveries_kept() const final;

 protected:
  /// How far the iterations since refill have come.
  struct Progress {
    std::uint64_t seed = 0;
    std::int64_t next = 0;  ///< iterations since refill
    std::int64_t used = 1;  ///< places used by these iterations
  };

  RingOperation(BufferPool& pool, const CachePlan& plan, const Memory& memory)
      : ring_(pool, plan, memory) {}

  // NOLINTNEXTLINE(*-non-private-member-variables-in-classes): run_batch is inlined
  BufferRing ring_;

 private:
  /// A member of the type, after the operation, so that ring and operation are neighbours.
  [[nodiscard]] virtual Progress& progress() = 0;
  [[nodiscard]] virtual const Progress& progress() const = 0;
  /// Fills the place of the ring that is in use.
  virtual void fill(std::uint64_t seed) = 0;
  /// Completes what the iterations left open.
  virtual void settle() = 0;
  /// Whether the place in use has what `fill` of the partner sent.
  [[nodiscard]] virtual bool check(std::uint64_t seed) = 0;
};

}  // namespace hockney::benchmarks
