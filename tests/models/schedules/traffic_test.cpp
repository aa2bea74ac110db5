#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

Traffic traffic(const std::string& operation, const std::string& algorithm, int ranks,
                std::int64_t bytes) {
  return traffic_of(schedule_of(
      operation, algorithm, {.ranks = ranks, .bytes = {bytes}, .element_bytes = 8, .segment = {}}));
}

std::int64_t all_bytes(const Traffic& traffic) {
  std::int64_t sum = 0;
  for (const auto& [pair, peer] : traffic) sum += peer.bytes;
  return sum;
}

}  // namespace

TEST_CASE("a ring's traffic goes to the next rank only") {
  // 4 ranks, blocks of 16 B: three of them in the first round trip, three in the second.
  const Traffic ring = traffic("allreduce", "ring", 4, 64);
  REQUIRE(ring.size() == 4);
  for (const auto& [pair, peer] : ring) {
    CHECK(pair.second == (pair.first + 1) % 4);
    CHECK(peer == PeerTraffic{6, 96});
  }
}

TEST_CASE("recursive doubling exchanges everything with every power of two") {
  const Traffic doubling = traffic("allreduce", "recursive_doubling", 8, 64);
  CHECK(doubling.size() == 24);
  CHECK(doubling.at({5, 4}) == PeerTraffic{1, 64});
  CHECK(doubling.at({5, 7}) == PeerTraffic{1, 64});
  CHECK(doubling.at({5, 1}) == PeerTraffic{1, 64});
}

TEST_CASE("bytes that cross the network are those of the textbook") {
  // (p-1) n for a bcast by any tree, 2 (p-1) n for Rabenseifner's allreduce and for the ring.
  for (const char* tree : {"basic_linear", "chain", "pipeline", "binary_tree", "binomial",
                           "in-order_binomial", "knomial"}) {
    CHECK(all_bytes(traffic("bcast", tree, 16, 1024)) == 15 * 1024);
  }
  CHECK(all_bytes(traffic("allreduce", "rabenseifner", 16, 1024)) == 2 * 15 * 1024);
  CHECK(all_bytes(traffic("allreduce", "ring", 16, 1024)) == 2 * 15 * 1024);
  CHECK(all_bytes(traffic("alltoall", "pairwise", 16, 8)) == 16 * 15 * 8);
  CHECK(all_bytes(traffic("alltoall", "modified_bruck", 16, 8)) == 16 * 4 * 8 * 8);
  CHECK(all_bytes(traffic("allgather", "bruck", 13, 8)) == 13 * 12 * 8);
}

TEST_CASE("trees have the children that Open MPI gives them") {
  const Traffic binomial = traffic("bcast", "binomial", 8, 8);
  for (const auto& pair : {std::pair(0, 1), {0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 6}, {3, 7}}) {
    CHECK(binomial.contains(pair));
  }
  const Traffic binary = traffic("bcast", "binary_tree", 8, 8);
  for (const auto& pair : {std::pair(0, 1), {0, 2}, {1, 3}, {1, 5}, {2, 4}, {2, 6}, {3, 7}}) {
    CHECK(binary.contains(pair));
  }
  const Traffic in_order = traffic("reduce", "binomial", 8, 8);
  for (const auto& pair : {std::pair(1, 0), {2, 0}, {4, 0}, {3, 2}, {5, 4}, {6, 4}, {7, 6}}) {
    CHECK(in_order.contains(pair));
  }
}

TEST_CASE("algorithms are found under the names of other libraries") {
  CHECK(canonical_algorithm("barrier", "dissemination") == "bruck");
  CHECK(canonical_algorithm("bcast", "scatter_LR_allgather") == "scatter_allgather_ring");
  CHECK(canonical_algorithm("bcast", "unheard-of") == "unheard-of");
  CHECK(traffic("barrier", "dissemination", 5, 0) == traffic("barrier", "bruck", 5, 0));
}

TEST_CASE("what has no schedule is refused with a suggestion") {
  CHECK_THROWS_WITH(schedule_of("bcast", "binomal", {.ranks = 4}),
                    Catch::Contains("did you mean 'binomial'?"));
  CHECK_THROWS_WITH(schedule_of("pingpong", "linear", {.ranks = 4}),
                    Catch::Contains("no algorithms are known for operation 'pingpong'"));
  CHECK_THROWS_AS(schedule_of("bcast", "linear", {.ranks = 4, .root = 4}), InputError);
  CHECK_THROWS_AS(schedule_of("bcast", "linear", {.ranks = 0}), InputError);
  CHECK(unfit("allreduce", "ring", {.ranks = 4, .bytes = {16}, .element_bytes = 8}) ==
        "2 elements cannot be divided among 4 ranks");
}

}  // namespace hockney::schedules
