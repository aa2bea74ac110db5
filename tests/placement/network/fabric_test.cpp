#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "placement/network/infiniband.hpp"
#include "placement/network/lldp.hpp"
#include "placement/network/node_addresses.hpp"
#include "tests/placement/network/described_networks.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::placement {
namespace {

using Pairs = std::map<std::string, std::size_t>;

Fabric fabric(const std::string& text) { return read_ibnetdiscover({text, "t"}); }
DescribedNetwork cray(const std::string& text) { return read_cray_names({text, "t"}); }

}  // namespace

TEST_CASE("leaves of a fabric are two links apart, by way of a spine") {
  const SiteFile sites = read_fixture("ib-leaf-spine.txt");
  CHECK(sites.hosts.size() == 8);  // the adapters in switches are none
  CHECK(sites.sites.at("n5") == std::vector<std::string>{"leaf2"});
  CHECK(network_hop(sites, "n0", "n1") == "same-switch");
  CHECK(network_hop(sites, "n0", "n2") == "2-hops");
  CHECK(pairs_by_class(sites) == Pairs{{"same-switch", 4}, {"2-hops", 24}});
}

TEST_CASE("adapters that do not name their hosts are joined by their GUIDs") {
  const std::string file = network_fixture("ib-line-of-three.txt");
  // In the line h0 - h1 - h2, the last is known by the GUID of its system.
  const HostsOfGuids hosts{{"0000:0000:0010:0000", "h0"},
                           {"0x100010", "h1"},
                           {"0000000000100028", "h2"},
                           {"0000:0000:00ff:ffff", "elsewhere"}};
  const SiteFile sites = read_network(file, {.hosts = hosts}).sites;
  CHECK(sites.hosts == std::vector<std::string>{"h0", "h1", "h2"});
  CHECK(network_hop(sites, "h0", "h1") == "1-hop");
  CHECK(network_hop(sites, "h2", "h1") == "1-hop");
  CHECK(network_hop(sites, "h0", "h2") == "2-hops");
  // Switches that are called alike go by their identifiers.
  CHECK(sites.sites.at("h0") == std::vector<std::string>{"S-0000000000200000"});
  CHECK_THROWS_WITH(read_network(file, {.hosts = {{"0x1", "other"}}}),
                    Catch::Contains("no adapter of a known host"));
}

TEST_CASE("a host with two rails is at the switches of both") {
  const SiteFile sites = read_fixture("ib-two-rails.txt");
  CHECK(sites.sites.at("d0") == std::vector<std::string>{"rail0+rail1"});
  CHECK(sites.sites.at("d1") == std::vector<std::string>{"rail0+rail1"});
  CHECK(network_hop(sites, "d0", "d1") == "same-switch");
}

TEST_CASE("a rail is chosen by the device of its adapters") {
  // Two rails that part the hosts in two ways.
  const auto link = [](int host, int rail, const std::string& leaf) {
    return fmt::format("Ca 1 \"H-{0}{1}\" # \"n{0} mlx5_{1}\"\n[1] \"S-{2}\"[1] # \"{2}\"\n", host,
                       rail, leaf);
  };
  const Fabric both = fabric(link(1, 0, "a") + link(2, 0, "a") + link(3, 0, "b") + link(1, 1, "c") +
                             link(2, 1, "d") + link(3, 1, "c"));
  const auto hop = [&](const std::string& device, const std::string& other) {
    return network_hop(sites_of(both, {}, {"infiniband", "t", false}, device).sites, "n1", other);
  };
  CHECK(hop("mlx5_0", "n2") == "same-switch");
  CHECK(hop("mlx5_0", "n3") == "other-switch");
  CHECK(hop("mlx5_1", "n2") == "other-switch");
  CHECK(hop("mlx5_1", "n3") == "same-switch");
  CHECK_THROWS_WITH(hop("mlx5_7", "n2"), Catch::Contains("no host has an adapter 'mlx5_7'") &&
                                             Catch::Contains("adapters are mlx5_0, mlx5_1"));
}

TEST_CASE("a device that says it is a card is no switch") {
  const auto read = read_lldp(parse_json(
      R"({"lldp": {"interface": [{"p0": {"chassis": {"x": {"descr": "Linux 5.15-bluefield"}}}}]}})",
      "t"));
  REQUIRE(read.size() == 1);
  CHECK(read.front().is_card);
  CHECK(read_lldp_lines({"lldp.p0.chassis.name=x\nlldp.p0.chassis.descr=DOCA BlueField\n", "t"})
            .front()
            .is_card);
}

TEST_CASE("lines that ibnetdiscover does not print are left out and named") {
  const auto notes_of = [](const std::string& lines) {
    return fabric("Ca 1 \"H-1\" # \"n1 mlx5_0\"\n" + lines).notes.lines();
  };
  CHECK_THAT(notes_of("hello\n").at(0), Catch::Contains("t:2: 'hello'"));
  CHECK_THAT(notes_of("Switch 4 \"X-1\" # \"a\"\n[1] \"H-1\"[1]\n").at(0),
             Catch::Contains("2 lines ibnetdiscover does not print"));
  CHECK_THAT(notes_of("Ca 1 \"H-12345678901234567\"\n").at(0), Catch::Contains("t:2: "));
  CHECK_THAT(notes_of("[1] \"S-1\n").at(0), Catch::Contains("t:2: '[1] \"S-1'"));
  CHECK_THAT(notes_of("sysimgguid=0xgg\n").at(0), Catch::Contains("up to 16 hex digits"));
  CHECK(notes_of("Chassis 1 (guid 0x1)\nHostname: x\nsysimgguid=0x1\t\t# Chassis 1\n").empty());
  CHECK_THROWS_WITH(fabric("Switch 4 \"S-1\" # \"a\"\n"), Catch::Contains("no adapters"));
  CHECK_THROWS_WITH(fabric("[1] \"S-1\"[2]\n"), Catch::Contains("t:1: '[1]"));
}

TEST_CASE("the switches of hosts are heard by LLDP, and nothing else that is heard") {
  const SiteFile sites = read_fixture("lldp");
  CHECK(sites.origin->source == "lldp");
  CHECK(sites.sites.at("c4") == std::vector<std::string>{"tor2"});
  CHECK(pairs_by_class(sites) == Pairs{{"same-switch", 2}, {"other-switch", 4}});
  const auto heard = read_lldp(load_json(network_fixture("lldp/c4.json")));
  CHECK(heard ==
        std::vector<LldpNeighbour>{{"eth0", "tor2", "", "00:1c:0f:5f:c7:c1"},
                                   {"eth1", "00:1c:0f:5f:c7:c9", "", "00:1c:0f:5f:c7:c9"}});
}

TEST_CASE("malformed documents of LLDP are refused") {
  const auto read = [](const std::string& text) { return read_lldp(parse_json(text, "t")); };
  CHECK(read(R"({"lldp": {}})").empty());
  CHECK(read(R"({"lldp": {"interface": [{"e": {}}]}})").empty());
  CHECK_THROWS_WITH(read(R"({"lldp": {"interface": [{"e": {"chassis": {}}}]}})"),
                    Catch::Contains("names no device"));
  CHECK_THROWS_AS(read(R"({"lldp": {"interface": "eth0"}})"), InputError);
  CHECK_THROWS_WITH(read("{\"lldp\":\n {\"interface\" 3}}"), Catch::Contains("line 2"));
  CHECK_THROWS_WITH(sites_of(LldpHosts{{"deaf", {}}}, {"lldp", "t", false}),
                    Catch::Contains("1 host hearing no switch (place unknown): deaf"));
}

TEST_CASE("the place of a Cray's node names router, chassis and group") {
  const SiteFile sites = read_fixture("cray-xc.txt");
  CHECK(network_hop(sites, "nid00000", "nid00003") == "same-router");
  CHECK(network_hop(sites, "nid00000", "nid00060") == "same-chassis");
  CHECK(network_hop(sites, "nid00000", "nid00064") == "same-group");  // another chassis
  CHECK(network_hop(sites, "nid00000", "nid00384") == "same-group");  // the second cabinet
  CHECK(network_hop(sites, "nid00384", "nid00385") == "other-group");
  CHECK(network_hop(sites, "nid00000", "nid00700") == "other-group");  // another row
  const SiteFile hosts = read_fixture("cray-hosts.txt");
  CHECK(hosts.hosts == std::vector<std::string>{"nid00000", "nid00004"});
  const SiteFile ex = read_fixture("cray-ex.txt");
  CHECK(network_hop(ex, "nid001000", "nid001001") == "same-chassis");
  CHECK(network_hop(ex, "nid001000", "nid001008") == "same-cabinet");
  CHECK(network_hop(ex, "nid001000", "x1001c0s0b0n0") == "other-cabinet");
}

TEST_CASE("malformed places of a Cray are left out and named") {
  CHECK(!cray_place("c0-0c0s0"));
  CHECK(!cray_place("c0-0c0s0n0x"));
  CHECK(!cray_place("c-0c0s0n0"));
  CHECK(!cray_place("c99999999999-0c0s0n0"));
  const DescribedNetwork network =
      cray("nid0 c0-0c0s0n0\nnid1 c0-0\nnid0 c0-0c0s1n0\nnid1 x1c0s0b0n0\nnid2 c0-0c0s0n1\n");
  CHECK(network.sites.hosts == std::vector<std::string>{"nid0", "nid2"});
  REQUIRE(network.notes.size() == 1);
  CHECK_THAT(network.notes[0], Catch::Contains("3 lines") && Catch::Contains("t:2: no place") &&
                                   Catch::Contains("t:3: a second place of 'nid0'") &&
                                   Catch::Contains("t:4: the place 'x1c0s0b0n0'"));
  CHECK_THROWS_WITH(cray("\n"), Catch::Contains("no nodes"));
}

TEST_CASE("what describes no network is refused with the line that shows it") {
  CHECK_THROWS_WITH(read_network(network_fixture("missing")), Catch::Contains("cannot read"));
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_network(folder.write("text", "\n# c\nhello world\n")),
                    Catch::Contains("text:3: no description of a network"));
  CHECK_THROWS_WITH(read_network(folder.path()), Catch::Contains("no network in the folder"));
}

}  // namespace hockney::placement
