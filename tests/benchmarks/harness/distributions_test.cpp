#include <catch2/catch.hpp>
#include <numeric>

#include "benchmarks/harness/payload.hpp"

namespace hockney::benchmarks {
namespace {

using Counts = std::vector<int>;

TEST_CASE("distributions are those of the documentation") {
  CHECK(divide(40, 4).counts == Counts{10, 10, 10, 10});
  CHECK(divide(40, 4, Distribution::linear).counts == Counts{4, 8, 12, 16});
  CHECK(divide(40, 4, Distribution::one_heavy).counts == Counts{3, 3, 4, 30});
  CHECK(divide(76, 4, Distribution::zipf).counts == Counts{36, 18, 12, 10});
  CHECK(divide(40, 4, Distribution::zeros).counts == Counts{20, 0, 20, 0});
  CHECK(divide(45, 3, Distribution::zeros).counts == Counts{22, 0, 23});
  CHECK(divide(40, 4, Distribution::linear).displacements == Counts{0, 4, 12, 24});
}

TEST_CASE("every distribution divides all there is, on any number of ranks") {
  for (const Distribution distribution : every<Distribution>()) {
    for (const int ranks : {1, 2, 3, 5, 8, 100}) {
      for (const int total : {0, 1, 3, 1000, 2'147'483'647}) {
        INFO(word(distribution) << " " << total << " among " << ranks);
        const Division division = divide(total, ranks, distribution);
        REQUIRE(division.counts.size() == static_cast<std::size_t>(ranks));
        CHECK(std::accumulate(division.counts.begin(), division.counts.end(), 0LL) == total);
        CHECK(division.total() == total);
        CHECK(division.smallest() >= 0);
      }
    }
  }
}

TEST_CASE("equal blocks of a whole number of elements are equal") {
  for (const int count : {1, 7, 33, 4096}) {
    const Division division = divide(std::int64_t{count} * 97, 97);
    CHECK(division.smallest() == count);
    CHECK(division.largest() == count);
  }
}

}  // namespace
}  // namespace hockney::benchmarks
