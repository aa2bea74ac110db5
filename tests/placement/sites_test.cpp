#include "placement/sites.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "placement/binding.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

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
