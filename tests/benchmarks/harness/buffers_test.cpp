#include "benchmarks/harness/buffer_pool.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "tests/benchmarks/harness/residency.hpp"

namespace hockney::benchmarks {
namespace {

std::uintptr_t address(const DrawnMemory& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

TEST_CASE("buffers are page-aligned and writable") {
  BufferPool pool(1);
  for (const std::size_t bytes : std::vector<std::size_t>{1, 4096, 5000, 1 << 20}) {
    for (int visit = 0; visit < 50; ++visit) {
      const auto buffer = pool.draw(bytes);
      CHECK(buffer.size() == bytes);
      CHECK(address(buffer) % 4096 == 0);
      std::memset(buffer.data(), visit, bytes);
    }
  }
}

TEST_CASE("visits get different places, and the same ones from the same seed") {
  BufferPool pool(5);
  BufferPool twin(5);
  std::set<std::uintptr_t> offsets;
  const std::uintptr_t base = address(pool.draw(100'000));
  const std::uintptr_t twin_base = address(twin.draw(100'000));
  for (int visit = 0; visit < 50; ++visit) {
    const std::uintptr_t offset = address(pool.draw(100'000)) - base;
    CHECK(offset == address(twin.draw(100'000)) - twin_base);
    offsets.insert(offset);
  }
  CHECK(offsets.size() > 10);
}

TEST_CASE("rings have memory of their own, a little more than the largest one") {
  BufferPool pool(5);
  constexpr std::size_t large = std::size_t{8} << 20;
  const std::uintptr_t first = address(pool.draw_ring(large));
  std::set<std::uintptr_t> starts{first};
  for (int visit = 0; visit < 50; ++visit) {
    const std::uintptr_t next = address(pool.draw_ring(large));
    CHECK((next > first ? next - first : first - next) <= std::size_t{256} * 4096);
    starts.insert(next);
  }
  CHECK(starts.size() > 10);
  const std::uintptr_t small = address(pool.draw(100));
  // Beside every place of the ring; its mapping and the other one may touch.
  CHECK((small + 100 <= *starts.begin() || small >= *starts.rbegin() + large));
}

TEST_CASE("pages come into being at once, or one by one") {
  const MappedMemory now = map_memory(64 * page_bytes, Pages::touched_now);
  CHECK(resident_pages({now.get(), 64 * page_bytes}) == 64);
  const MappedMemory later = map_memory(64 * page_bytes, Pages::on_touch);
  CHECK(resident_pages({later.get(), 64 * page_bytes}) == 0);
  later.get()[5 * page_bytes] = std::byte{1};
  CHECK(resident_pages({later.get(), 64 * page_bytes}) == 1);
}

TEST_CASE("memory that nobody has is an error in one line") {
  CHECK_THROWS_AS(map_memory(std::size_t{1} << 60, Pages::on_touch), RunError);
}

}  // namespace
}  // namespace hockney::benchmarks
