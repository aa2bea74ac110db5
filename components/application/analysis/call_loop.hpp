#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hockney::applications {

/// The main loop of one rank, by the order of its calls alone.
struct CallLoop {
  std::vector<std::size_t> begins;  ///< first call of each iteration
  std::size_t end = 0;              ///< behind the last call of the last iteration
  bool is_folded = false;           ///< the number of calls differs between iterations
  std::string why_none;             ///< reason if there are no iterations

  [[nodiscard]] std::size_t count() const { return begins.size(); }
};

/// Fewest iterations of a loop.
inline constexpr std::size_t least_iterations = 5;

/// Finds the loop with the shortest body that explains most of a sequence. `calls` has equal
/// numbers for equal calls, `seconds` the time until the end of each call since the call before.
///
/// 1. Autocorrelation at the lags at which the same 1, 2, 4 ... 32 calls occur again. A body
///    explains the stretches in which each call equals the call one body earlier.
/// 2. A lag is the period if one body explains 80 % of the calls and half of the time between its
///    first and last stretch, and these are half of the run. A body that repeats fewer than 8 times
///    in a row gives way to a longer one that repeats more often.
/// 3. Without a period, repeated calls are folded into one, then repeated pairs, and so on: loops
///    with a varying number of calls inside an iteration then have a period, too.
/// 4. Between two stretches there are as many irregular iterations as the calls of a body occur.
///
/// Takes time of order n for a sequence of n calls.
CallLoop find_loop(std::span<const std::uint32_t> calls, std::span<const double> seconds);

}  // namespace hockney::applications
