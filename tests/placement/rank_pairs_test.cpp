#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "core/error.hpp"
#include "placement/machine.hpp"
#include "placement/rank_pairs.hpp"
#include "tests/placement/machines.hpp"
#include "tests/placement/played_pairs.hpp"

namespace hockney::placement {
namespace {

TEST_CASE("a hop is the closest thing two CPUs share") {
  // Per package 2 NUMA nodes of 2 L3 of 2 L2 of 2 cores of 2 PUs: 32 PUs.
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:2 core:2 pu:2");
  CHECK(hop_class(topology, 0, 1) == Hop::smt);
  CHECK(hop_class(topology, 0, 2) == Hop::l2);
  CHECK(hop_class(topology, 0, 4) == Hop::l3);
  CHECK(hop_class(topology, 0, 8) == Hop::numa);
  CHECK(hop_class(topology, 0, 16) == Hop::package);
  CHECK(hop_class(topology, 0, 32) == Hop::cross_package);
}

TEST_CASE("a hop has no direction and a CPU is no hop from itself") {
  for (const Topology& topology : small_machines()) {
    for (const Pu& a : topology.pus) {
      CHECK(hop_class(a, a) == std::nullopt);
      for (const Pu& b : topology.pus) CHECK(hop_class(a, b) == hop_class(b, a));
    }
  }
}

TEST_CASE("packages come before memory: one memory for the machine is no numa hop") {
  CHECK(hop_class(machine("pack:2 core:2 pu:1"), 0, 2) == Hop::cross_package);
}

TEST_CASE("a NUMA node of several packages is still a hop between packages") {
  const Topology topology = machine("numa:2 pack:2 core:1 pu:1");
  CHECK(hop_class(topology, 0, 1) == Hop::cross_package);
  CHECK(hop_class(topology, 0, 2) == Hop::cross_package);
}

TEST_CASE("numbers of the operating system say nothing about distance") {
  const Topology topology = fixture("xeon-interleaved");
  CHECK(hop_class(topology, 0, 1) == Hop::cross_package);
  CHECK(hop_class(topology, 0, 2) == Hop::l3);
  CHECK(hop_class(topology, 0, 8) == Hop::smt);
}

TEST_CASE("CPUs without a cache share none") {
  const Topology topology = fixture("hybrid");
  CHECK(hop_class(topology, 4, 7) == Hop::l2);
  CHECK(hop_class(topology, 0, 7) == Hop::l3);
  CHECK(hop_class(topology, 8, 9) == Hop::numa);
  CHECK(hop_class(topology, 0, 9) == Hop::numa);
}

TEST_CASE("cores of different kinds are a class of their own") {
  // 0-3: two performance cores; 4-7: two pairs of others that share an L2 each; 8, 9: two more of a
  // third kind that share an L2 outside the L3.
  const Topology topology = fixture("core-kinds");
  CHECK(find_pu(topology, 3)->kind == 0);
  CHECK(find_pu(topology, 4)->kind == 1);
  CHECK(find_pu(topology, 9)->kind == 2);
  CHECK(find_pu(fixture("hybrid"), 3)->kind == std::nullopt);
  struct Case {
    int a;
    int b;
    Hop hop;
  };
  for (const Case& tried : {Case{0, 1, Hop::smt}, Case{0, 2, Hop::l3}, Case{4, 5, Hop::l2},
                            Case{4, 6, Hop::l3_efficient}, Case{1, 4, Hop::kinds},
                            Case{7, 8, Hop::kinds}, Case{0, 9, Hop::kinds}, Case{8, 9, Hop::l2}}) {
    CAPTURE(tried.a, tried.b);
    CHECK(hop_class(topology, tried.a, tried.b) == tried.hop);
  }
  // 45 pairs: 6 of 0-3, 6 of 4-7, 1 of 8-9, and 4 x 4 + 4 x 2 + 4 x 2 between the kinds.
  const std::vector<HopCount> expected{
      {Hop::smt, 2}, {Hop::l2, 3}, {Hop::l3, 4}, {Hop::l3_efficient, 4}, {Hop::kinds, 32}};
  CHECK(count_pairs(topology) == expected);
}

TEST_CASE("hops are known of CPUs that may not be used, too") {
  CHECK(hop_class(fixture("cgroup"), 0, 2) == Hop::l3);
  CHECK(hop_class(fixture("cgroup"), 2, 6) == Hop::cross_package);
  CHECK_THROWS_AS(hop_class(fixture("cgroup"), 2, 12), InputError);
}

TEST_CASE("hop names are read back, and the nearest is suggested") {
  for (const char* name : {"smt", "l2", "l3", "l3-efficient", "kinds", "numa", "package",
                           "cross-package", "cross-node"}) {
    CHECK(hop_name(parse_hop(name)) == name);
  }
  CHECK(parse_hops("l3,smt") == std::vector<Hop>{Hop::l3, Hop::smt});
  CHECK_THROWS_WITH(parse_hop("crossnode"), Catch::Contains("did you mean 'cross-node'?"));
  for (const char* name : {"", "L3", "l3 ", "cross_package", "node"}) {
    CHECK_THROWS_AS(parse_hop(name), InputError);
  }
  CHECK_THROWS_AS(parse_hops("l3,"), InputError);
}

TEST_CASE("four ranks meet in three rounds") {
  CHECK(tournament(4) == std::vector<Round>{{{0, 3}, {1, 2}}, {{1, 3}, {0, 2}}, {{2, 3}, {0, 1}}});
}

TEST_CASE("three ranks meet in three rounds with one idle") {
  CHECK(tournament(3) == std::vector<Round>{{{1, 2}}, {{0, 2}}, {{0, 1}}});
}

TEST_CASE("every pair meets once, in the fewest rounds, no rank twice at a time") {
  for (int ranks = 1; ranks <= 64; ++ranks) {
    INFO(ranks << " ranks");
    const std::vector<Round> rounds = tournament(ranks);
    const auto n = static_cast<std::size_t>(ranks);
    CHECK(rounds.size() == (n == 1 ? 0 : n - (n % 2 == 0 ? 1 : 0)));
    for (const Round& round : rounds) CHECK(round.size() == n / 2);
    const PairSet pairs = pairs_of(rounds);
    CHECK(pairs.size() == n * (n - 1) / 2);
    for (const auto& [low, high] : pairs) CHECK((low >= 0 && high < ranks));
  }
}

TEST_CASE("wanted pairs meet once, in either orientation, without empty rounds") {
  CHECK(tournament(4, {{3, 0}, {0, 3}, {1, 2}}) == std::vector<Round>{{{0, 3}, {1, 2}}});
  CHECK(tournament(4, {}).empty());
  const std::vector<RankPair> wanted{{0, 9}, {8, 1}, {2, 3}, {2, 4}, {2, 5}};
  const std::vector<Round> rounds = tournament(10, wanted);
  CHECK(pairs_of(rounds) == PairSet{{0, 9}, {1, 8}, {2, 3}, {2, 4}, {2, 5}});
  for (const Round& round : rounds) CHECK_FALSE(round.empty());
}

TEST_CASE("isolated pairs have a round each") {
  CHECK(isolated(tournament(3)) == tournament(3));
  const std::vector<Round> rounds = isolated(tournament(9));
  CHECK(rounds.size() == 36);
  for (const Round& round : rounds) CHECK(round.size() == 1);
  CHECK(pairs_of(rounds).size() == 36);
  CHECK(isolated({}).empty());
}

TEST_CASE("pairs of ranks that do not exist are refused") {
  CHECK(tournament(0).empty());
  CHECK_THROWS_AS(tournament(-1), InputError);
  CHECK_THROWS_AS(tournament(4, {{0, 4}}), InputError);
  CHECK_THROWS_AS(tournament(4, {{-1, 2}}), InputError);
  CHECK_THROWS_WITH(tournament(4, {{2, 2}}), Catch::StartsWith("ranks 2 and 2 are no pair"));
}

TEST_CASE("ranks of different nodes are cross-node whatever their CPUs") {
  const Topology node = machine("pack:2 core:2 pu:1");
  const RankSite first{0, find_pu(node, 0)};
  CHECK(hop_between(first, {0, find_pu(node, 2)}) == Hop::cross_package);
  CHECK(hop_between(first, {1, find_pu(node, 0)}) == Hop::cross_node);
  CHECK(hop_between(first, {1, nullptr}) == Hop::cross_node);
}

TEST_CASE("ranks that share a CPU or are not bound have no known hop") {
  const Topology node = machine("pack:1 core:2 pu:1");
  const RankSite one{0, find_pu(node, 1)};
  CHECK_FALSE(hop_between(one, one));
  CHECK_FALSE(hop_between(one, {0, nullptr}));
  CHECK(representative_ranks({one, one, {0, nullptr}}).empty());
  CHECK(representative_ranks({}).empty());
}

TEST_CASE("each class is represented by low ranks away from CPU 0") {
  const Topology node = machine("pack:2 core:4 pu:1");
  std::vector<RankSite> sites;
  for (int rank = 0; rank < 16; ++rank) sites.push_back({rank / 8, find_pu(node, rank % 8)});
  CHECK(representative_ranks(sites) == std::vector<RankHop>{{{1, 2}, Hop::numa},
                                                            {{1, 4}, Hop::cross_package},
                                                            {{1, 9}, Hop::cross_node}});
}

TEST_CASE("every class of the network is represented by a pair of its own") {
  const Topology node = machine("pack:1 core:2 pu:1");
  std::vector<RankSite> sites;
  for (int rank = 0; rank < 8; ++rank) sites.push_back({rank / 2, find_pu(node, rank % 2)});
  const SiteFile switches{.levels = {"switch"},
                          .hosts = {"a", "b", "c", "d"},
                          .sites = {{"a", {"s"}}, {"b", {"s"}}, {"c", {"t"}}, {"d", {"t"}}}};
  const NodeNetwork network{switches, {"a", "b", "c", "d"}};
  CHECK(representative_ranks(sites, &network) == std::vector<RankHop>{{{0, 1}, Hop::numa},
                                                                      {{1, 5}, Hop::cross_node},
                                                                      {{1, 3}, Hop::cross_node}});
}

TEST_CASE("without a choice CPU 0 represents") {
  const Topology node = machine("pack:1 core:2 pu:1");
  CHECK(representative_ranks({{0, find_pu(node, 0)}, {0, find_pu(node, 1)}}) ==
        std::vector<RankHop>{{{0, 1}, Hop::numa}});
}

TEST_CASE("the pairs that represent a network are the best of all pairs of ranks") {
  // 12 nodes of three ranks at five switches in two groups; on some nodes rank 0 is on CPU 0.
  const Topology node = machine("pack:1 core:4 pu:1");
  SiteFile file{.levels = {"switch", "group"}, .hosts = {}, .sites = {}};
  NodeNetwork network{file, {}};
  std::vector<RankSite> sites;
  for (int number = 0; number < 12; ++number) {
    const std::string host = "n" + std::to_string(number);
    file.hosts.push_back(host);
    const int at = number * 7 % 5;
    file.sites[host] = {"s" + std::to_string(at), at < 3 ? "g0" : "g1"};
    network.hosts.push_back(host);
    for (int rank = 0; rank < 3; ++rank) {
      sites.push_back({number, find_pu(node, rank + (number % 3 == 0 ? 1 : 0))});
    }
  }
  const auto count = static_cast<int>(sites.size());
  const auto is_on_zero = [&](int rank) {
    return sites[static_cast<std::size_t>(rank)].pu->os_cpu == 0 ? 1 : 0;
  };
  std::map<std::string, std::tuple<int, int, int>> best;
  for (int low = 0; low < count; ++low) {
    for (int high = low + 1; high < count; ++high) {
      const int from = sites[static_cast<std::size_t>(low)].node;
      const int to = sites[static_cast<std::size_t>(high)].node;
      if (from == to) continue;
      const std::string hop = network_hop(file, network.hosts[static_cast<std::size_t>(from)],
                                          network.hosts[static_cast<std::size_t>(to)]);
      const std::tuple badness{is_on_zero(low) + is_on_zero(high), low, high};
      const auto known = best.try_emplace(hop, badness).first;
      known->second = std::min(known->second, badness);
    }
  }
  REQUIRE(best.size() == 3);
  std::vector<RankPair> wanted;
  for (const auto& [hop, badness] : best) {
    wanted.push_back({std::get<1>(badness), std::get<2>(badness)});
  }
  std::vector<RankPair> found;
  for (const RankHop& pair : representative_ranks(sites, &network)) {
    if (pair.hop == Hop::cross_node) found.push_back(pair.ranks);
  }
  CHECK(found == wanted);
}

}  // namespace
}  // namespace hockney::placement
