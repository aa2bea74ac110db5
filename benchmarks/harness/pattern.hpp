#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hockney {

/// Test data: 64-bit words in an arithmetic progression modulo 2^64 whose start and odd step come
/// from `seed`. No two words of a message are equal, so a swapped, shifted or altered block shows.
void fill_pattern(std::span<std::byte> data, std::uint64_t seed);

/// The bitwise complement of the pattern: wrong in every single byte.
void fill_wrong_pattern(std::span<std::byte> data, std::uint64_t seed);

/// Whether every byte is as fill_pattern left it.
bool holds_pattern(std::span<const std::byte> data, std::uint64_t seed);

/// The seed of the data that `rank` sends in the visit with `visit_seed`.
std::uint64_t pattern_seed(std::uint64_t visit_seed, int rank);

}  // namespace hockney
