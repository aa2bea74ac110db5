#include "placement/sites.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("ranks of different nodes are cross-node whatever their CPUs") {
  const std::vector<Topology> nodes{machine("pack:2 core:2 pu:1"), machine("pu:2")};
  CHECK(rank_hops({{0, 0, 0}, {1, 0, 2}, {2, 1, 0}, {3, 1, {}}}, nodes) ==
        std::vector<RankHop>{{{0, 1}, Hop::cross_package},
                             {{0, 2}, Hop::cross_node},
                             {{0, 3}, Hop::cross_node},
                             {{1, 2}, Hop::cross_node},
                             {{1, 3}, Hop::cross_node},
                             {{2, 3}, std::nullopt}});
}

TEST_CASE("ranks that share a CPU or are not bound have no known hop") {
  const std::vector<Topology> nodes{machine("pack:1 core:2 pu:1")};
  CHECK(rank_hops({{0, 0, 1}, {1, 0, 1}, {2, 0, {}}}, nodes) ==
        std::vector<RankHop>{{{0, 1}, {}}, {{0, 2}, {}}, {{1, 2}, {}}});
  CHECK(representative_ranks({{0, 0, 1}, {1, 0, 1}, {2, 0, {}}}, nodes).empty());
}

TEST_CASE("sites may come in any order") {
  const std::vector<Topology> nodes{machine("pack:1 core:2 pu:1")};
  CHECK(rank_hops({{7, 0, 1}, {3, 0, 0}}, nodes) == std::vector<RankHop>{{{3, 7}, Hop::numa}});
}

TEST_CASE("each class is represented by low ranks away from CPU 0") {
  const std::vector<Topology> nodes{machine("pack:2 core:4 pu:1"), machine("pack:2 core:4 pu:1")};
  std::vector<RankSite> sites;
  for (int rank = 0; rank < 16; ++rank) sites.push_back({rank, rank / 8, rank % 8});
  CHECK(representative_ranks(sites, nodes) == std::vector<RankHop>{{{1, 2}, Hop::numa},
                                                                   {{1, 4}, Hop::cross_package},
                                                                   {{1, 9}, Hop::cross_node}});
}

TEST_CASE("every class of the network is represented by a pair of its own") {
  const std::vector<Topology> nodes(4, machine("pack:1 core:2 pu:1"));
  std::vector<RankSite> sites;
  for (int rank = 0; rank < 8; ++rank) sites.push_back({rank, rank / 2, rank % 2});
  // Nodes 0 and 1 are at one switch, 2 and 3 at another.
  const auto network = [](int a, int b) {
    return a / 2 == b / 2 ? std::string("same-switch") : std::string("other-switch");
  };
  CHECK(representative_ranks(sites, nodes, network) ==
        std::vector<RankHop>{
            {{0, 1}, Hop::numa}, {{1, 5}, Hop::cross_node}, {{1, 3}, Hop::cross_node}});
}

TEST_CASE("without a choice CPU 0 represents") {
  const std::vector<Topology> nodes{machine("pack:1 core:2 pu:1")};
  CHECK(representative_ranks({{0, 0, 0}, {1, 0, 1}}, nodes) ==
        std::vector<RankHop>{{{0, 1}, Hop::numa}});
}

TEST_CASE("sites that do not exist are refused") {
  const std::vector<Topology> nodes{machine("pu:2")};
  CHECK_THROWS_AS(rank_hops({{0, 1, 0}}, nodes), InputError);
  CHECK_THROWS_AS(rank_hops({{0, -1, 0}}, nodes), InputError);
  CHECK_THROWS_AS(rank_hops({{0, 0, 2}}, nodes), InputError);
  CHECK_THROWS_WITH(rank_hops({{0, 0, 0}, {0, 0, 1}}, nodes),
                    "rank 0 is placed twice (a rank lives on one CPU) list every rank once");
  CHECK(rank_hops({}, {}).empty());
}

}  // namespace
}  // namespace hockney::placement
