#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hockney::benchmarks {

/// How long a probe waits until it takes a message for not handed over.
enum class Patience { short_wait, long_wait };

/// Whether a message of `bytes` bytes was handed over within the wait. True is certain; false may
/// be a sender that the operating system did not run.
using EagerProbe = std::function<bool(std::int64_t bytes, Patience patience)>;

struct LimitFound {
  std::optional<std::int64_t> limit_bytes;  ///< largest size handed over; nullopt: not even 0
  std::optional<std::int64_t> held_bytes;   ///< smallest size not handed over, limit + 1; nullopt:
                                            ///< all were
  std::vector<std::int64_t> exceptions;     ///< sizes that contradict a single limit, ascending
  int probes = 0;
  int corrections = 0;  ///< sizes first taken for not handed over

  friend bool operator==(const LimitFound&, const LimitFound&) = default;
};

/// Finds the exact limit by doubling and halving. The next size must fail in each of three long
/// waits; otherwise the search continues from there, so that a late sender costs time but no wrong
/// result. Then sizes on both sides, up to `most_bytes`, are probed to check that there is a single
/// limit.
LimitFound find_limit(const EagerProbe& probe, std::int64_t most_bytes);

}  // namespace hockney::benchmarks
