#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "benchmarks/harness/buffer_ring.hpp"
#include "tests/benchmarks/harness/residency.hpp"

namespace hockney::benchmarks {
namespace {

CachePlan cold(std::size_t bytes) { return {.state = CacheState::cold, .bytes = bytes}; }
CachePlan fresh(std::size_t bytes) { return {.state = CacheState::fresh, .bytes = bytes}; }

std::uintptr_t address(const std::byte* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Where a buffer is in so many iterations, relative to the first one [B].
std::vector<std::ptrdiff_t> walk(BufferRing& ring, const Buffer& buffer, int iterations) {
  const std::byte* front = buffer.data();
  std::vector<std::ptrdiff_t> places;
  for (int i = 0; i < iterations; ++i, ring.advance()) places.push_back(buffer.data() - front);
  return places;
}

TEST_CASE("hot buffers stay where they are, page-aligned and apart") {
  BufferPool pool(1);
  BufferRing ring(pool, {});
  const auto buffers = ring.draw({8, 4096});
  ring.take(1000);
  CHECK_FALSE(ring.rotates());
  CHECK_FALSE(ring.most_iterations());
  CHECK(ring.places() == 1);
  CHECK(address(buffers[0].data()) % 4096 == 0);
  CHECK(buffers[1].data() - buffers[0].data() == 4096);
  CHECK(walk(ring, buffers[1], 3) == std::vector<std::ptrdiff_t>{0, 0, 0});
  CHECK(buffers[1].to_poison().size() == 4096);
}

TEST_CASE("a cold ring holds what was asked for, and goes round far from neighbour to neighbour") {
  BufferPool pool(1);
  BufferRing ring(pool, cold(1024));
  const auto buffers = ring.draw({8, 8});  // two lines touched of three pairs of lines
  ring.take(1000);
  CHECK(ring.places() == 8);
  CHECK(address(buffers[0].data()) % 128 == 0);
  CHECK(buffers[1].data() - buffers[0].data() == 128);
  // The golden section of 8 is 4.9; 4 has a divisor in common, 5 has none.
  const std::ptrdiff_t place = 384;
  CHECK(walk(ring, buffers[0], 9) == std::vector<std::ptrdiff_t>{0, 5 * place, 2 * place, 7 * place,
                                                                 4 * place, 1 * place, 6 * place,
                                                                 3 * place, 0});
}

TEST_CASE("every cold place is met once before the first one comes again") {
  BufferPool pool(1);
  for (const std::size_t places : std::vector<std::size_t>{2, 3, 4, 6, 7, 100, 1001, 4096}) {
    BufferRing ring(pool, cold(places * 64));
    const Buffer buffer = ring.draw({1}).front();
    ring.take(static_cast<std::int64_t>(places) * 5);
    REQUIRE(ring.places() == static_cast<std::int64_t>(places));
    const auto met = walk(ring, buffer, static_cast<int>(places));
    CHECK(std::set(met.begin(), met.end()).size() == places);
    CHECK(ring.position() == 0);
  }
}

TEST_CASE("lines touched in one round of a cold ring are more than the cache that was asked for") {
  constexpr std::size_t cache = std::size_t{1} << 20;
  BufferPool pool(1);
  for (const std::size_t bytes : std::vector<std::size_t>{1, 64, 65, 4095, 4096, 10'000, 300'000}) {
    BufferRing ring(pool, cold(2 * cache));
    const auto buffers = ring.draw({bytes, bytes, bytes});
    ring.take(1 << 20);
    std::set<std::uintptr_t> lines;
    for (std::int64_t i = 0; i < ring.places(); ++i, ring.advance()) {
      for (const Buffer& buffer : buffers) {
        const std::uintptr_t begin = address(buffer.data());
        CHECK(begin % 64 == 0);
        for (std::uintptr_t at = begin; at < begin + bytes; at += 64) lines.insert(at / 64);
      }
    }
    CHECK(lines.size() * 64 >= 2 * cache);
    CHECK(lines.size() * 64 <= 2 * cache + 3 * (bytes + 64));  // and no place too many
  }
}

TEST_CASE("messages as large as the cache still rotate between two places") {
  BufferPool pool(1);
  BufferRing ring(pool, cold(1000));
  const Buffer buffer = ring.draw({100'000}).front();
  ring.take(10);
  CHECK(ring.places() == 2);
  CHECK(walk(ring, buffer, 3) == std::vector<std::ptrdiff_t>{0, 25 * 4096, 0});
}

TEST_CASE("a short visit uses the front of a cold ring; eviction touches all the rest of it") {
  BufferPool pool(1);
  BufferRing ring(pool, cold(64 * 1000));
  const Buffer buffer = ring.draw({64}).front();
  ring.take(10);
  CHECK(ring.places() == 10);
  const auto used = walk(ring, buffer, 10);
  CHECK(*std::ranges::max_element(used) == 9 * 128);
  ring.evict();
  const std::span<const std::byte> all(buffer.data(), std::size_t{1000} * 128);
  CHECK(std::ranges::count(all.first(10 * 128), std::byte{1}) == 0);
  for (std::size_t at = 10 * 128; at < all.size(); at += 64) CHECK(all[at] == std::byte{1});
}

TEST_CASE("a visit that goes round a cold ring leaves nothing to evict") {
  BufferPool pool(1);
  BufferRing ring(pool, cold(64 * 1000));
  const Buffer buffer = ring.draw({64}).front();
  ring.take(1000);
  CHECK(ring.places() == 1000);
  ring.evict();
  CHECK(std::ranges::count(std::span(buffer.data(), 128'000), std::byte{1}) == 0);
}

TEST_CASE("fresh pages are untouched, a new one for every buffer of every iteration") {
  BufferPool pool(1);
  BufferRing ring(pool, fresh(std::size_t{1} << 30));
  const auto buffers = ring.draw({8, 5000});
  ring.take(50);
  REQUIRE(ring.places() == 50);
  const std::span<std::byte> all(buffers[0].data(), std::size_t{50} * 3 * 4096);
  CHECK(resident_pages(all) == 0);
  for (int i = 0; i < 50; ++i, ring.advance()) {
    CHECK(resident_pages(buffers[0].bytes()) == 0);
    CHECK(buffers[1].to_poison().empty());
    buffers[0].bytes().front() = std::byte{1};
    CHECK(resident_pages(buffers[1].bytes()) == 0);
  }
  CHECK(resident_pages(all) == 50);
  ring.take(50);
  CHECK(resident_pages({buffers[0].data(), std::size_t{50} * 3 * 4096}) == 0);
}

TEST_CASE("fresh memory of one visit is bounded, but for two iterations") {
  BufferPool pool(1);
  BufferRing ring(pool, fresh(10 * 4096));
  ring.draw({8, 8});
  CHECK(ring.most_iterations() == 5);
  ring.take(1000);
  CHECK(ring.places() == 5);
  BufferRing large(pool, fresh(10 * 4096));
  large.draw({100'000});
  CHECK(large.most_iterations() == 2);
  large.take(1000);
  CHECK(large.places() == 2);
}

TEST_CASE("every place has data of its own, and the first one those of the visit") {
  CHECK(place_seed(42, 0) == 42);
  std::set<std::uint64_t> seeds;
  for (std::int64_t place = 0; place < 1000; ++place) seeds.insert(place_seed(42, place));
  CHECK(seeds.size() == 1000);
}

}  // namespace
}  // namespace hockney::benchmarks
