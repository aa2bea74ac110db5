#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "benchmarks/harness/payload.hpp"

namespace hockney::benchmarks {
namespace {

constexpr std::uint64_t seed = 3;

/// Five elements of rank 4, three of nobody and two of rank 6, in elements of a type.
struct Trial {
  explicit Trial(const char* name, const CachePlan& plan = {})
      : type(find_datatype(name)),
        ring(pool, plan),
        payload({MPI_COMM_SELF, 0, 1, ring}, type, {{{5, 3, 2}, {0, 5, 8}}, {4, no_rank, 6}, 10}) {
    ring.take(1);
  }

  [[nodiscard]] std::span<std::byte> bytes() const { return payload.memory().bytes(); }
  [[nodiscard]] std::span<std::byte> block(std::size_t first, std::size_t elements) const {
    return bytes().subspan(first * type.extent, elements * type.extent);
  }

  const Datatype& type;
  BufferPool pool{1};
  BufferRing ring;
  Payload<> payload;
};

TEST_CASE("each block of a payload gets the data of its owner") {
  const Trial trial("int");
  std::ranges::fill(trial.bytes(), std::byte{7});
  trial.payload.fill(seed);
  CHECK(holds_pattern(trial.block(0, 5), pattern_seed(seed, 4)));
  CHECK(holds_pattern(trial.block(8, 2), pattern_seed(seed, 6)));
  CHECK(std::ranges::all_of(trial.block(5, 3), [](std::byte b) { return b == std::byte{7}; }));
  CHECK(trial.payload.holds(seed));
  CHECK_FALSE(trial.payload.holds(seed + 1));
}

TEST_CASE("every significant byte of a payload is looked at, and no other") {
  const Trial trial("short-int");
  trial.payload.fill(seed);
  for (std::size_t i = 0; i < trial.bytes().size(); ++i) {
    const std::size_t element = i / trial.type.extent;
    const std::size_t place = i % trial.type.extent;
    const bool counts = std::ranges::any_of(trial.type.significant, [&](const ByteRange& range) {
      return place >= range.offset && place < range.offset + range.bytes;
    });
    const bool is_somebodys = element < 5 || element >= 8;
    trial.bytes()[i] ^= std::byte{1};
    CHECK(trial.payload.holds(seed) == !(counts && is_somebodys));
    trial.bytes()[i] ^= std::byte{1};
  }
}

TEST_CASE("a payload is spoilt in every byte of its blocks, unless its pages must stay untouched") {
  const Trial trial("int");
  trial.payload.fill(seed);
  const std::vector<std::byte> right(trial.bytes().begin(), trial.bytes().end());
  trial.payload.poison(seed);
  for (std::size_t i = 0; i < right.size(); ++i) {
    const bool is_nobodys = i >= 5 * trial.type.extent && i < 8 * trial.type.extent;
    CHECK((trial.bytes()[i] == right[i]) == is_nobodys);
  }
  const Trial fresh("int", {.state = CacheState::fresh, .bytes = 1});
  fresh.payload.poison(seed);
  CHECK(std::ranges::all_of(fresh.bytes(), [](std::byte b) { return b == std::byte{0}; }));
}

}  // namespace
}  // namespace hockney::benchmarks
