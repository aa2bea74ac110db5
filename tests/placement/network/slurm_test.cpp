#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "core/text.hpp"
#include "placement/network/node_addresses.hpp"
#include "placement/network/slurm_topology.hpp"
#include "tests/placement/network/described_networks.hpp"

namespace hockney::placement {
namespace {

using Pairs = std::map<std::string, std::size_t>;

SiteFile topology(const std::string& text) { return read_slurm_topology({text, "t"}).sites; }

/// A note of a topology that has the nodes n8 and n9 besides.
std::string note_of(const std::string& text) {
  const DescribedNetwork network =
      read_slurm_topology({text + "SwitchName=other Nodes=n[8-9]\n", "t"});
  CHECK(has_host(network.sites, "n8"));
  return join(network.notes, "\n");
}

std::string note_of_address(const std::string& line) {
  const DescribedNetwork network = read_slurm_addresses({"x s.x switch.node\n" + line, "t"});
  CHECK(network.sites.hosts == std::vector<std::string>{"x"});
  return join(network.notes, "\n");
}

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
  const SiteFile reported = read_fixture("address-two-leaves.txt");
  const SiteFile tree = read_fixture("tree-two-leaves.txt");
  for (const std::string& one : reported.hosts) {
    for (const std::string& other : reported.hosts) {
      CHECK(network_hop(reported, one, other) == network_hop(tree, one, other));
    }
  }
  CHECK(reported.origin->source == "slurm-address");
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
    return sites_of(std::vector<SlurmAddress>{{host, address, "switch.node"}}, origin);
  };
  CHECK_NOTHROW(of("hx1", "leaf.hx1"));
  CHECK_NOTHROW(of("hx1.site.org", "leaf.hx1"));
  CHECK_NOTHROW(of("hx1", "leaf.hx1.site.org"));
  CHECK_THROWS_WITH(of("hx2", "leaf.hx1"),
                    Catch::Contains("the address 'leaf.hx1' (it is that of another node)"));
  CHECK_THROWS_WITH(of("hx12", "leaf.hx1"), Catch::Contains("another node"));
}

TEST_CASE("what is malformed in a topology is left out and named with its line") {
  CHECK_THAT(note_of("SwitchName=a Nodes=n1\nnonsense\n"),
             Catch::Contains("t:2: 'nonsense' is no key=value"));
  CHECK_THAT(note_of("SwitchName=a Node=n1\n"), Catch::Contains("t:1: unknown key 'Node'") &&
                                                    Catch::Contains("did you mean 'nodes'?"));
  CHECK_THAT(note_of("\n# c\nSwitchName=a Nodes=n[1-\n"), Catch::Contains("t:3: n[1-"));
  CHECK_THAT(note_of("SwitchName=a Nodes=n1 Nodes=n2\n"), Catch::Contains("t:1: 'Nodes' again"));
  CHECK_THAT(note_of("SwitchName=a\n"), Catch::Contains("1 switch without nodes: a"));
  CHECK_THAT(note_of("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n"),
             Catch::Contains("defining a switch again: t:2: a"));
  CHECK_THAT(note_of("SwitchName=a Switches=c,other\n"),
             Catch::Contains("1 switch without a line of its own: c (below a)"));
  CHECK_THAT(note_of("SwitchName=a Switches=b\nSwitchName=b Switches=a,other\n"),
             Catch::Contains("2 switches above itself or above one that is: a, b"));
  CHECK_THAT(note_of("Level=1 Nodes=n1\n"), Catch::Contains("t:1: it names no switch"));
  CHECK_THAT(note_of("BlockName=b Nodes=n1\nSwitchName=a Nodes=n1\n"),
             Catch::Contains("1 line of another kind of topology: t:1: blockname"));
  const auto blocks = read_slurm_topology(
      {"BlockName=a Nodes=n[1-2]\nBlockName=b Nodes=n[2-3]\nBlockSizes=2,5\n", "t"});
  CHECK(blocks.sites.hosts.size() == 3);
  CHECK_THAT(join(blocks.notes), Catch::Contains("1 node in a second block: n2 in b") &&
                                     Catch::Contains("1 block size") && Catch::Contains("'5'"));
  CHECK_THROWS_WITH(topology("BlockName=a\n"),
                    Catch::Contains("t: no nodes in the topology (left out: 1 block without"));
  CHECK_THROWS_WITH(topology("BlockSizes=0\n"), Catch::Contains("'0'"));
  CHECK_THROWS_WITH(topology("# nothing\n"), Catch::Contains("no nodes in the topology"));
}

TEST_CASE("malformed addresses are left out and named with their line") {
  CHECK_THAT(note_of_address("b s.b\n"), Catch::Contains("t:2: 2 words"));
  CHECK_THAT(note_of_address("a a node\n"),
             Catch::Contains("t:2: the pattern 'node' (Slurm knows no switches"));
  CHECK_THAT(note_of_address("a s.a switch.rack\n"), Catch::Contains("t:2: the pattern"));
  CHECK_THAT(note_of_address("a a switch.node\n"), Catch::Contains("fewer parts"));
  CHECK_THAT(note_of_address("a .a switch.node\n"), Catch::Contains("the node is at no switch"));
  CHECK_THAT(note_of_address("x t.x switch.node\n"),
             Catch::Contains("t:2: a second address of 'x'"));
  CHECK_THAT(note_of_address("b r.s.b switch.switch.node\n"), Catch::Contains("t:2: the pattern"));
  CHECK_THAT(note_of_address("y r.s.t.z switch.node\n"),
             Catch::Contains("names with dots: its node by the pattern, 's.t.z', is not the host"));
  CHECK_THAT(note_of_address("a,b s.a switch.node\n"), Catch::Contains("no name of a host"));
  CHECK_THROWS_WITH(read_slurm_addresses({"", "t"}), Catch::Contains("no addresses"));
}

}  // namespace hockney::placement
