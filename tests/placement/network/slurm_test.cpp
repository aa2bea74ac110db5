#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "placement/network/slurm_address.hpp"
#include "placement/network/slurm_topology.hpp"
#include "tests/placement/network/described_networks.hpp"

namespace hockney::placement {
namespace {

using Pairs = std::map<std::string, std::size_t>;

SiteFile topology(const std::string& text) { return read_slurm_topology({text, "t"}); }
SiteFile addresses(const std::string& text) { return read_slurm_addresses({text, "t"}); }

}  // namespace

TEST_CASE("two leaf switches below a spine are two switches") {
  const SiteFile sites = read_fixture("tree-two-leaves.txt");
  CHECK(sites.levels == std::vector<std::string>{"switch"});
  CHECK(network_hop(sites, "hx1", "hx2") == "same-switch");
  CHECK(network_hop(sites, "hx2", "hx3") == "other-switch");
  CHECK(pairs_by_class(sites) == Pairs{{"same-switch", 2}, {"other-switch", 4}});
  CHECK(sites.origin->source == "slurm-topology");
  CHECK(!sites.origin->inferred);
}

TEST_CASE("a tree of three levels has switches and groups below its root") {
  const SiteFile sites = read_fixture("tree-three-levels.conf");
  CHECK(sites.levels == std::vector<std::string>{"switch", "group"});
  CHECK(network_hop(sites, "n07", "n00") == "same-switch");
  CHECK(network_hop(sites, "n07", "n08") == "same-group");
  CHECK(network_hop(sites, "n15", "n16") == "other-group");
  // 4 x C(8,2); 2 x 8 x 8; 16 x 16
  CHECK(pairs_by_class(sites) ==
        Pairs{{"same-switch", 112}, {"same-group", 128}, {"other-group", 256}});
}

TEST_CASE("blocks are aggregated to larger ones") {
  const SiteFile sites = read_fixture("blocks.txt");
  CHECK(sites.levels == std::vector<std::string>{"block", "group"});
  CHECK(network_hop(sites, "g0", "g1") == "same-block");
  CHECK(network_hop(sites, "g1", "g2") == "same-group");
  CHECK(network_hop(sites, "g3", "g4") == "other-group");
  CHECK(pairs_by_class(sites) == Pairs{{"same-block", 4}, {"same-group", 8}, {"other-group", 16}});
  CHECK(pairs_by_class(read_fixture("blocks.conf")) ==
        Pairs{{"same-block", 12}, {"other-block", 16}});
}

TEST_CASE("nodes at a switch above others share that switch alone") {
  const SiteFile sites = topology(
      "SwitchName=a Nodes=n[0-1]\n"
      "SwitchName=b Nodes=n[2-3]\n"
      "SwitchName=top Switches=a,b Nodes=login[0-1]\n");
  CHECK(network_hop(sites, "login0", "login1") == "same-switch");
  CHECK(network_hop(sites, "login0", "n0") == "other-switch");
}

TEST_CASE("what Slurm told the tasks says the same as its topology") {
  const SiteFile told = read_fixture("address-two-leaves.txt");
  const SiteFile tree = read_fixture("tree-two-leaves.txt");
  for (const std::string& one : told.hosts) {
    for (const std::string& other : told.hosts) {
      CHECK(network_hop(told, one, other) == network_hop(tree, one, other));
    }
  }
  CHECK(told.origin->source == "slurm-address");
}

TEST_CASE("switches called alike below two roots are two, and names of nodes may have dots") {
  const SiteFile sites = read_fixture("address-two-roots.txt");
  CHECK(sites.levels == std::vector<std::string>{"switch", "group"});
  CHECK(network_hop(sites, "a1.site.org", "b1.site.org") == "other-group");
  CHECK(network_hop(sites, "a1.site.org", "a2.site.org") == "same-group");
  CHECK(network_hop(read_fixture("address-blocks.txt"), "g0", "g1") == "same-block");
}

TEST_CASE("the address of another node is not taken for one's own") {
  const SiteOrigin origin{"slurm-address", "t", false};
  const auto of = [&](const std::string& host, const std::string& address) {
    return sites_of({{host, address, "switch.node"}}, origin);
  };
  CHECK_NOTHROW(of("hx1", "leaf.hx1"));
  CHECK_NOTHROW(of("hx1.site.org", "leaf.hx1"));
  CHECK_NOTHROW(of("hx1", "leaf.hx1.site.org"));
  CHECK_THROWS_WITH(of("hx2", "leaf.hx1"),
                    Catch::Contains("the address 'leaf.hx1' (it is that of another node)"));
  CHECK_THROWS_WITH(of("hx12", "leaf.hx1"), Catch::Contains("another node"));
}

TEST_CASE("malformed topologies are refused with their line") {
  CHECK_THROWS_WITH(topology("SwitchName=a Nodes=n1\nnonsense\n"),
                    Catch::Contains("t:2: 'nonsense' is no key=value"));
  CHECK_THROWS_WITH(
      topology("SwitchName=a Node=n1\n"),
      Catch::Contains("t:1: unknown key 'Node'") && Catch::Contains("did you mean 'nodes'?"));
  CHECK_THROWS_WITH(topology("\n# c\nSwitchName=a Nodes=n[1-\n"),
                    Catch::Contains("t:3: the hosts"));
  CHECK_THROWS_WITH(topology("SwitchName=a Nodes=n1 Nodes=n2\n"),
                    Catch::Contains("t:1: the key 'Nodes' again"));
  CHECK_THROWS_WITH(topology("SwitchName=a\n"), Catch::Contains("t:1: nothing is below"));
  CHECK_THROWS_WITH(topology("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n"),
                    Catch::Contains("t:2: the switch 'a' again"));
  CHECK_THROWS_WITH(topology("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1\n"),
                    Catch::Contains("t:2: the node 'n1' again"));
  CHECK_THROWS_WITH(topology("SwitchName=a Switches=c\n"),
                    Catch::Contains("t:1: no line for the switch 'c'"));
  CHECK_THROWS_WITH(
      topology("SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n"),
      Catch::Contains("t:3: the switch 'a' has a second way up"));
  CHECK_THROWS_WITH(topology("SwitchName=a Switches=b\nSwitchName=b Switches=a\n"),
                    Catch::Contains("is above itself"));
  CHECK_THROWS_WITH(topology("BlockName=a Nodes=n1\nBlockName=b Nodes=n1\n"),
                    Catch::Contains("t:2: the node 'n1' again"));
  CHECK_THROWS_WITH(topology("BlockName=a\n"), Catch::Contains("t:1: a block without"));
  CHECK_THROWS_WITH(topology("BlockSizes=0\n"), Catch::Contains("t:1: '0' is no size"));
  CHECK_THROWS_WITH(topology("# nothing\n"), Catch::Contains("no nodes in the topology"));
}

TEST_CASE("malformed addresses are refused with their line") {
  CHECK_THROWS_WITH(addresses("a s.a switch.node\nb s.b\n"), Catch::Contains("t:2: 2 words"));
  CHECK_THROWS_WITH(addresses("a a node\n"),
                    Catch::Contains("t:1: the pattern 'node' (Slurm knows no switches"));
  CHECK_THROWS_WITH(addresses("a s.a switch.rack\n"), Catch::Contains("t:1: the pattern"));
  CHECK_THROWS_WITH(addresses("a a switch.node\n"), Catch::Contains("fewer parts"));
  CHECK_THROWS_WITH(addresses("a .a switch.node\n"), Catch::Contains("a part of it is empty"));
  CHECK_THROWS_WITH(addresses("a s.a switch.node\na t.a switch.node\n"),
                    Catch::Contains("t:2: a second address of 'a'"));
  CHECK_THROWS_WITH(addresses("a s.a switch.node\nb r.s.b switch.switch.node\n"),
                    Catch::Contains("t:2: the pattern"));
  CHECK_THROWS_WITH(addresses("a,b s.a switch.node\n"), Catch::Contains("no name of a host"));
  CHECK_THROWS_WITH(addresses(""), Catch::Contains("no addresses"));
}

}  // namespace hockney::placement
