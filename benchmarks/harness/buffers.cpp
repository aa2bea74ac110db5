#include "benchmarks/harness/buffers.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.hpp"

namespace hockney::benchmarks {
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

std::uint64_t pattern_seed(std::uint64_t block_seed, int rank) {
  return mix(block_seed + static_cast<std::uint64_t>(rank) * 2U);
}

void Unmap::operator()(std::byte* memory) const { ::munmap(memory, bytes); }

MappedMemory map_memory(std::size_t bytes, Pages pages) {
  const int populate = pages == Pages::touched_now ? MAP_POPULATE : 0;
  void* memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0);
  if (memory == MAP_FAILED) {
    throw RunError({"no memory for message buffers", std::to_string(bytes) + " bytes were refused",
                    "measure smaller messages"});
  }
  MappedMemory mapped(static_cast<std::byte*>(memory), Unmap{bytes});
  // A kernel without huge pages refuses the advice, which it does not need then.
  if (pages == Pages::on_touch) ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  return mapped;
}

}  // namespace hockney::benchmarks
