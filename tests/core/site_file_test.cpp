#include "core/site_file.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace hockney {
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
