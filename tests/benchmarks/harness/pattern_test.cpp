#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("a pattern is recognised at every length") {
  const std::size_t bytes = GENERATE(0U, 1U, 2U, 7U, 8U, 9U, 63U, 64U, 1000U, 4096U);
  std::vector<std::byte> data(bytes);
  fill_pattern(data, 42);
  CHECK(holds_pattern(data, 42));
}

TEST_CASE("every single corrupted bit is seen") {
  const std::size_t bytes = GENERATE(1U, 5U, 8U, 67U);
  std::vector<std::byte> data(bytes);
  fill_pattern(data, 7);
  for (std::size_t bit = 0; bit < 8 * bytes; ++bit) {
    data[bit / 8] ^= std::byte{1} << (bit % 8);
    CHECK_FALSE(holds_pattern(data, 7));
    data[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  CHECK(holds_pattern(data, 7));
}

TEST_CASE("swapped and shifted blocks are seen") {
  std::vector<std::byte> data(4096);
  fill_pattern(data, 7);
  const std::vector<std::byte> intact = data;
  std::swap_ranges(data.begin(), data.begin() + 512, data.begin() + 1024);
  CHECK_FALSE(holds_pattern(data, 7));
  std::copy(intact.begin(), intact.end() - 8, data.begin() + 8);
  CHECK_FALSE(holds_pattern(data, 7));
}

TEST_CASE("the wrong pattern is wrong in every byte") {
  std::vector<std::byte> right(100);
  std::vector<std::byte> wrong(100);
  fill_pattern(right, 3);
  fill_wrong_pattern(wrong, 3);
  for (std::size_t i = 0; i < right.size(); ++i) CHECK(right[i] == ~wrong[i]);
}

TEST_CASE("ranks and visits send different data") {
  CHECK(pattern_seed(1, 0) != pattern_seed(1, 1));
  CHECK(pattern_seed(1, 0) != pattern_seed(2, 0));
}

}  // namespace
}  // namespace hockney::benchmarks
