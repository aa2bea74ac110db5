#pragma once

#include <cstdint>
#include <span>

namespace hockney {

/// What `rank` contributes to a sum: whole numbers below 2^20, so that the sum over up to 2^33
/// ranks is exact in a double, whatever the order of additions, and any difference is an error.
void fill_summands(std::span<double> data, std::uint64_t seed, int rank);

/// Whether every element is the sum over ranks 0 .. ranks-1 of what they contributed.
bool holds_sums(std::span<const double> data, std::uint64_t seed, int ranks);

}  // namespace hockney
