#include "benchmarks/harness/pattern.hpp"

#include <algorithm>
#include <cstring>

namespace hockney {
namespace {

/// Finaliser of splitmix64 (Steele, Lea, Flood 2014): neighbouring seeds give unrelated words.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

struct Progression {
  explicit Progression(std::uint64_t seed) : word(mix(seed)), step(mix(seed + 1) | 1U) {}
  std::uint64_t next() { return word += step; }

  std::uint64_t word;
  std::uint64_t step;
};

void fill(std::span<std::byte> data, std::uint64_t seed, std::uint64_t flip) {
  Progression words(seed);
  for (std::size_t at = 0; at < data.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = words.next() ^ flip;
    std::memcpy(&data[at], &word, std::min(sizeof word, data.size() - at));
  }
}

}  // namespace

void fill_pattern(std::span<std::byte> data, std::uint64_t seed) { fill(data, seed, 0); }

void fill_wrong_pattern(std::span<std::byte> data, std::uint64_t seed) {
  fill(data, seed, ~std::uint64_t{0});
}

bool holds_pattern(std::span<const std::byte> data, std::uint64_t seed) {
  Progression words(seed);
  for (std::size_t at = 0; at < data.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = words.next();
    if (std::memcmp(&data[at], &word, std::min(sizeof word, data.size() - at)) != 0) return false;
  }
  return true;
}

std::uint64_t pattern_seed(std::uint64_t visit_seed, int rank) {
  return mix(visit_seed + static_cast<std::uint64_t>(rank) * 2U);
}

}  // namespace hockney
