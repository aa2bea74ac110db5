#include "benchmarks/harness/buffers.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <set>

namespace hockney {
namespace {

std::uintptr_t address(const std::span<std::byte>& buffer) {
  return reinterpret_cast<std::uintptr_t>(buffer.data());
}

TEST_CASE("buffers are page-aligned, writable and do not overlap") {
  BufferPool pool(1);
  const std::vector<std::size_t> sizes{0, 1, 4096, 5000, 1 << 20};
  for (int visit = 0; visit < 50; ++visit) {
    const auto buffers = pool.draw(sizes);
    REQUIRE(buffers.size() == sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      CHECK(buffers[i].size() == sizes[i]);
      CHECK(address(buffers[i]) % 4096 == 0);
      std::memset(buffers[i].data(), static_cast<int>(i), sizes[i]);
      if (i > 0) CHECK(address(buffers[i]) >= address(buffers[i - 1]) + sizes[i - 1]);
    }
  }
}

TEST_CASE("visits get different places, and the same ones from the same seed") {
  BufferPool pool(5);
  BufferPool twin(5);
  std::set<std::uintptr_t> offsets;
  const std::uintptr_t base = address(pool.draw({100'000}).front());
  const std::uintptr_t twin_base = address(twin.draw({100'000}).front());
  for (int visit = 0; visit < 50; ++visit) {
    const std::uintptr_t offset = address(pool.draw({100'000}).front()) - base;
    CHECK(offset == address(twin.draw({100'000}).front()) - twin_base);
    offsets.insert(offset);
  }
  CHECK(offsets.size() > 10);
}

}  // namespace
}  // namespace hockney
