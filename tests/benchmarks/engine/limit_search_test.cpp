#include "benchmarks/engine/limit_search.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace hockney::benchmarks {
namespace {

constexpr std::int64_t most = 4 << 20;

/// Hands over up to `limit`, but the sender is late in a share of the short and of the long waits.
class Sender {
 public:
  Sender(std::int64_t limit, double late_in_short, double late_in_long, std::uint64_t seed = 1)
      : limit_(limit), late_in_short_(late_in_short), late_in_long_(late_in_long), random_(seed) {}

  bool operator()(std::int64_t bytes, Patience patience) {
    const double share = patience == Patience::short_wait ? late_in_short_ : late_in_long_;
    const bool is_late = std::uniform_real_distribution<>(0, 1)(random_) < share;
    return bytes <= limit_ && !is_late;
  }

 private:
  std::int64_t limit_;
  double late_in_short_;
  double late_in_long_;
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("a limit is found to the byte") {
  for (const std::int64_t limit : {0L, 1L, 2L, 255L, 256L, 968L, 4040L, 7721L, 65480L, most - 1}) {
    const LimitFound found = find_limit(Sender(limit, 0, 0), most);
    CHECK(found.limit_bytes == limit);
    CHECK(found.held_bytes == limit + 1);
    CHECK(found.exceptions.empty());
    CHECK(found.corrections == 0);
    CHECK(found.probes < 100);
  }
}

TEST_CASE("nothing is handed over, or everything is") {
  const LimitFound nothing = find_limit(Sender(-1, 0, 0), most);
  CHECK_FALSE(nothing.limit_bytes);
  CHECK(nothing.held_bytes == 0);
  for (const std::int64_t limit : {most, 2 * most}) {
    const LimitFound everything = find_limit(Sender(limit, 0, 0), most);
    CHECK(everything.limit_bytes == most);
    CHECK_FALSE(everything.held_bytes);
    CHECK(everything.exceptions.empty());
  }
}

TEST_CASE("a sender that is often late costs probes, not the answer") {
  std::mt19937_64 random(7);
  int corrected = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto limit = static_cast<std::int64_t>(random() % most);
    const LimitFound found = find_limit(Sender(limit, 0.3, 0, seed), most);
    CHECK(found.limit_bytes == limit);
    CHECK(found.held_bytes == limit + 1);
    CHECK(found.exceptions.empty());
    corrected += found.corrections > 0 ? 1 : 0;
  }
  CHECK(corrected > 400);
}

TEST_CASE(
    "late in one of twenty long waits too, the answer is wrong in less than one of a hundred") {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const LimitFound found = find_limit(Sender(4040, 0.3, 0.05, seed), most);
    wrong += found.limit_bytes == 4040 ? 0 : 1;
  }
  CHECK(wrong < 10);
}

TEST_CASE("sizes that speak against one limit are told") {
  const auto with_hole = [](std::int64_t bytes, Patience) {
    return bytes <= 4040 && !(bytes >= 1000 && bytes <= 2000);
  };
  // Doubling meets the hole first: its lower edge is a limit, and what lies beyond it is not.
  const LimitFound hole = find_limit(with_hole, most);
  CHECK(hole.limit_bytes == 999);
  CHECK(hole.exceptions == std::vector<std::int64_t>{1000 + 2187});
  const auto with_island = [](std::int64_t bytes, Patience) {
    return bytes <= 4040 || bytes == 4041 + 243;
  };
  const LimitFound island = find_limit(with_island, most);
  CHECK(island.limit_bytes == 4040);
  CHECK(island.exceptions == std::vector<std::int64_t>{4284});
}

}  // namespace hockney::benchmarks
