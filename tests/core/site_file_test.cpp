#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/json_node.hpp"
#include "core/site_file.hpp"

namespace hockney {
namespace {

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("hosts are listed as Slurm writes them") {
  CHECK(expand_hosts("login") == Names{"login"});
  CHECK(expand_hosts("nid[8-11]") == Names{"nid8", "nid9", "nid10", "nid11"});
  CHECK(expand_hosts("n[1-3,07,9-12]") ==
        Names{"n1", "n2", "n3", "n07", "n9", "n10", "n11", "n12"});
  CHECK(expand_hosts("a[0-1]b[3,5]-ib,c") ==
        Names{"a0b3-ib", "a0b5-ib", "a1b3-ib", "a1b5-ib", "c"});
  CHECK(expand_hosts("x,x") == Names{"x", "x"});
}

TEST_CASE("numbers keep the width of the first of their range") {
  const Names hosts = expand_hosts("nid[001-128]");
  REQUIRE(hosts.size() == 128);
  CHECK(hosts.front() == "nid001");
  CHECK(hosts[9] == "nid010");
  CHECK(hosts.back() == "nid128");
  CHECK(expand_hosts("n[098-101]") == Names{"n098", "n099", "n100", "n101"});
  CHECK(expand_hosts("n[2147483646-2147483648]").back() == "n2147483648");
}

TEST_CASE("a list of hosts that is none is refused with what is wrong") {
  struct Bad {
    std::string list;
    std::string why;
  };
  for (const Bad& bad : {Bad{"nid[5-3]", "they end before they begin"},
                         {"nid[5-", "a bracket has no partner"},
                         {"nid5]", "a bracket has no partner"},
                         {"nid[[5]]", "a bracket has no partner"},
                         {"nid[]", "a name is missing"},
                         {"nid[1,,2]", "a name is missing"},
                         {"a,,b", "a name is missing"},
                         {"", "a name is missing"},
                         {"nid[a-b]", "a range is written \"nid[0-3]\""},
                         {"nid[1-2-3]", "a range is written \"nid[0-3]\""},
                         {"nid[-1]", "a range is written \"nid[0-3]\""},
                         {"nid[0-1000000]", "they are more than 1000000"},
                         {"a[1-1000]b[1-1001]", "they are more than 1000000"},
                         {"nid[0-9223372036854775808]", "a number is too long"}}) {
    INFO(bad.list);
    CHECK_THROWS_WITH(expand_hosts(bad.list), Catch::Contains(bad.why));
    CHECK_THROWS_AS(expand_hosts(bad.list), HostListError);
  }
}

namespace {

SiteFile sites(const std::string& places) {
  return read_sites(parse_json(R"({"schema": "hockney.sites/1", "levels": ["router", "group"],
                                   "places": [)" +
                                   places + "]}",
                               "sites.json"));
}

const std::string two_groups = R"({"hosts": "nid[0-1]", "sites": ["r0", "g0"]},
                                  {"hosts": "nid2", "sites": ["r1", "g0"]},
                                  {"hosts": "nid3", "sites": ["r2", "g1"]})";

}  // namespace

TEST_CASE("hosts are as far apart as the first level at which they meet") {
  const SiteFile file = sites(two_groups);
  CHECK(file.hosts == std::vector<std::string>{"nid0", "nid1", "nid2", "nid3"});
  CHECK(network_hop(file, "nid0", "nid0") == "same-node");
  CHECK(network_hop(file, "nid0", "nid1") == "same-router");
  CHECK(network_hop(file, "nid2", "nid0") == "same-group");
  CHECK(network_hop(file, "nid3", "nid1") == "other-group");
  CHECK(network_hops(file) == std::vector<std::string>{"same-router", "same-group", "other-group"});
}

TEST_CASE("pairs of a record are named by the site file, unless they share a host") {
  Record record;
  record.ranks = {{.rank = 0, .host = "nid0"}, {.rank = 1, .host = "nid3"}};
  Series across;
  across.point.pair = {0, 1};
  across.point.hop = "cross-node";
  Series inside = across;
  inside.point.hop = "l3";
  record.series = {across, inside};
  std::vector<Record> records{record};
  name_network_hops(records, sites(two_groups));
  CHECK(records[0].series[0].point.hop == "other-group");
  CHECK(records[0].series[1].point.hop == "l3");
}

TEST_CASE("hosts that meet nowhere are as far apart as the links between their last sites") {
  const SiteFile file = read_sites(parse_json(
      R"({"schema": "hockney.sites/1", "levels": ["switch"],
          "places": [{"hosts": "a[0-1]", "sites": ["s0"]}, {"hosts": "b", "sites": ["s1"]},
                     {"hosts": "c", "sites": ["s2"]}],
          "hops": {"s0": {"s1": 1, "s2": 3}},
          "origin": {"source": "infiniband", "detail": "ibnetdiscover", "inferred": false}})",
      "f"));
  CHECK(network_hop(file, "a0", "a1") == "same-switch");
  CHECK(network_hop(file, "a0", "b") == "1-hop");
  CHECK(network_hop(file, "c", "a1") == "3-hops");
  CHECK(network_hop(file, "b", "c") == "other-switch");  // not counted
  CHECK(network_hops(file) ==
        std::vector<std::string>{"same-switch", "1-hop", "3-hops", "other-switch"});
  CHECK(read_sites(parse_json(to_json(file).dump(), "f")) == file);
}

TEST_CASE("hosts are found by their short names, too") {
  const SiteFile file = sites(two_groups);
  CHECK(network_hop(file, "nid0.site.org", "nid1") == "same-router");
  CHECK(has_host(file, "nid3.site.org"));
  CHECK_FALSE(has_host(file, "nid33"));
}

TEST_CASE("links between what is no site are refused") {
  const auto with_hops = [](const std::string& hops) {
    return read_sites(parse_json(R"({"schema": "hockney.sites/1", "levels": ["switch"],
                                     "places": [{"hosts": "a", "sites": ["s0"]},
                                                {"hosts": "b", "sites": ["s1"]}],
                                     "hops": )" +
                                     hops + "}",
                                 "f"));
  };
  CHECK_NOTHROW(with_hops(R"({"s0": {"s1": 2}})"));
  CHECK_THROWS_WITH(with_hops(R"({"s0": {"s9": 2}})"), Catch::Contains("names 's9'"));
  CHECK_THROWS_WITH(with_hops(R"({"s9": {"s1": 2}})"), Catch::Contains("names 's9'"));
  CHECK_THROWS_WITH(with_hops(R"({"s1": {"s0": 2}})"), Catch::Contains("written once"));
  CHECK_THROWS_AS(with_hops(R"({"s0": {"s1": 0}})"), InputError);
}

TEST_CASE("a malformed site file is refused") {
  CHECK_THROWS_AS(sites(R"({"hosts": "a", "sites": ["r0"]})"), InputError);
  CHECK_THROWS_AS(sites(R"({"hosts": "a", "sites": ["r0", "g0"]},
                           {"hosts": "a", "sites": ["r0", "g0"]})"),
                  InputError);
  CHECK_THROWS_AS(sites(R"({"hosts": "a[0-", "sites": ["r0", "g0"]})"), InputError);
  CHECK_THROWS_AS(sites(R"({"hosts": "a[x-1]", "sites": ["r0", "g0"]})"), InputError);
  CHECK_THROWS_AS(network_hop(sites(two_groups), "nid0", "nid9"), InputError);
}

TEST_CASE("a range of hosts has a beginning, an end and a sensible length") {
  const auto range = [](const std::string& hosts) {
    return sites(R"({"hosts": ")" + hosts + R"(", "sites": ["r0", "g0"]})").hosts;
  };
  CHECK(range("a[2147483646-2147483647]") ==
        std::vector<std::string>{"a2147483646", "a2147483647"});
  CHECK_THROWS_WITH(range("a[1-0]"), Catch::Contains("they end before they begin"));
  CHECK_THROWS_WITH(range("a[0-2147483647]"), Catch::Contains("they are more than 1000000"));
}

}  // namespace hockney
