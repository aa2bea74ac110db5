#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "benchmarks/harness/buffer_ring.hpp"

namespace hockney::benchmarks {
namespace {

Layout layout_of(CacheState state, const std::vector<std::size_t>& sizes) {
  Layout layout({.state = state, .line_bytes = 64});
  for (const std::size_t bytes : sizes) layout.add(bytes);
  return layout;
}

std::size_t place_bytes(CacheState state, const std::vector<std::size_t>& sizes) {
  return layout_of(state, sizes).place_bytes();
}

TEST_CASE(
    "hot buffers are on pages of their own, powers of two not at distances of powers of two") {
  Layout layout(CachePlan{});
  CHECK(layout.add(0) == 0);
  CHECK(layout.add(4095) == 4096);
  CHECK(layout.add(4096) == 8192);
  CHECK(layout.add(1) == 16384);
  CHECK(layout.place_bytes() == 20480);
  CHECK(layout.alignment() == 4096);
}

TEST_CASE("small cold buffers are on pairs of lines of their own") {
  Layout layout({.state = CacheState::cold, .line_bytes = 64});
  CHECK(layout.add(8) == 0);
  CHECK(layout.add(128) == 128);
  CHECK(layout.add(129) == 256);
  CHECK(layout.place_bytes() == 5 * 128);  // 1 + 1 + 2 pairs, and one more to be odd
  CHECK(layout.touched_bytes() == 64 + 128 + 192);
  CHECK(layout.alignment() == 128);
  Layout wide({.state = CacheState::cold, .line_bytes = 256});
  CHECK(wide.add(8) == 0);
  CHECK(wide.add(8) == 512);
  CHECK(wide.touched_bytes() == 512);
}

TEST_CASE("large cold buffers are on pages of their own, and a place is an odd number of them") {
  CHECK(place_bytes(CacheState::cold, {4096, 4096}) == 3 * 4096);
  CHECK(place_bytes(CacheState::cold, {4096, 4096, 4096}) == 3 * 4096);
  CHECK(place_bytes(CacheState::cold, {5000}) == 3 * 4096);
  CHECK(layout_of(CacheState::cold, {5000}).touched_bytes() == 5056);
  CHECK(layout_of(CacheState::cold, {8, 5000}).alignment() == 4096);
  CHECK(place_bytes(CacheState::cold, {8, 5000}) == 3 * 4096);
}

TEST_CASE("starts of cold places fall on all sets of a cache") {
  for (const std::size_t bytes : std::vector<std::size_t>{8, 64, 1024, 2048, 4095}) {
    const std::size_t place = place_bytes(CacheState::cold, {bytes, bytes});
    std::set<std::size_t> pairs_of_sets;  // of the 64 sets that lie in one page
    for (std::size_t i = 0; i < 1000; ++i) pairs_of_sets.insert(i * place / 128 % 32);
    CHECK(pairs_of_sets.size() == 32);
  }
}

TEST_CASE("fresh buffers are on pages of their own, large ones on huge pages") {
  CHECK(place_bytes(CacheState::fresh, {0}) == 4096);
  CHECK(place_bytes(CacheState::fresh, {8, 4096, 4097}) == 4 * 4096);
  constexpr std::size_t huge = std::size_t{2} << 20;
  const Layout large = layout_of(CacheState::fresh, {huge, huge + 1});
  CHECK(large.place_bytes() == 3 * huge);
  CHECK(large.alignment() == huge);
}

TEST_CASE("a place without buffers still has a length") {
  CHECK(place_bytes(CacheState::hot, {}) == 1);
}

TEST_CASE("gaps of cold places are at most two thirds of them, which bounds the memory") {
  for (std::size_t bytes = 0; bytes < 20'000; bytes += 7) {
    for (const std::size_t buffers : std::vector<std::size_t>{1, 2, 3, 65}) {
      const Layout layout = layout_of(CacheState::cold, std::vector<std::size_t>(buffers, bytes));
      CHECK(layout.place_bytes() <= 3 * layout.touched_bytes());
    }
  }
}

}  // namespace
}  // namespace hockney::benchmarks
