#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hockney::benchmarks {

/// How long a probe waits before it believes that a message is held.
enum class Patience { short_wait, long_wait };

/// Whether a message of so many bytes was handed over within the wait. True is a proof; false may
/// be a sender that the system did not run.
using HandOverProbe = std::function<bool(std::int64_t bytes, Patience patience)>;

struct LimitFound {
  std::optional<std::int64_t> limit_bytes;  ///< largest handed over; nullopt: not even 0
  std::optional<std::int64_t> held_bytes;   ///< limit + 1; nullopt: none up to the most was held
  std::vector<std::int64_t> exceptions;     ///< sizes that speak against one limit, ascending
  int probes = 0;
  int corrections = 0;  ///< sizes believed to be held that were not

  friend bool operator==(const LimitFound&, const LimitFound&) = default;
};

/// The limit to the byte, by doubling and halving. The size after it must be held in each of three
/// long waits; if it is not, the search goes on from there, so that a sender that was late once
/// costs time and not the answer. Then sizes on both sides, up to `most_bytes`, are asked whether
/// there is one limit at all.
LimitFound find_limit(const HandOverProbe& probe, std::int64_t most_bytes);

}  // namespace hockney::benchmarks
