#include "benchmarks/harness/reduction_data.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

using namespace hockney;

namespace {

constexpr int ranks = 5;

std::vector<double> sums(std::uint64_t seed, std::size_t count) {
  std::vector<double> total(count, 0.0);
  std::vector<double> part(count);
  for (int rank = ranks - 1; rank >= 0; --rank) {
    fill_summands(part, seed, rank);
    for (std::size_t i = 0; i < count; ++i) total[i] += part[i];
  }
  return total;
}

}  // namespace

TEST_CASE("sums hold in any order of ranks") { CHECK(holds_sums(sums(7, 100), 7, ranks)); }

TEST_CASE("any one wrong element shows, and so does any missing rank") {
  for (std::size_t wrong = 0; wrong < 40; ++wrong) {
    std::vector<double> data = sums(7, 40);
    data[wrong] += 1;
    CHECK_FALSE(holds_sums(data, 7, ranks));
  }
  CHECK_FALSE(holds_sums(sums(7, 40), 7, ranks - 1));
  CHECK_FALSE(holds_sums(sums(7, 40), 8, ranks));
}

TEST_CASE("elements that changed places show") {
  for (std::size_t i = 0; i + 1 < 40; ++i) {
    std::vector<double> data = sums(7, 40);
    std::swap(data[i], data[i + 1]);
    CHECK_FALSE(holds_sums(data, 7, ranks));
  }
}
