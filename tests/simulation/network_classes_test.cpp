#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "placement/network/described_network.hpp"
#include "placement/network/inferred_sites.hpp"
#include "tests/simulation/simulated_collectives.hpp"
#include "tests/simulation/simulated_launch.hpp"

// Hop classes of a dragonfly of 256 hosts, told to the launch by a site file and guessed from
// latencies alone, against the platform.
namespace hockney::simulation {
namespace {

constexpr double class_link_seconds = 300e-9;
constexpr double class_link_bytes_per_second = 8e9;
constexpr int links_to_routers = 2;

/// One way of a round trip, which may go by different links there and back.
double latency_between(int one, int other, int bytes) {
  const double links = (dragonfly_links(one, other) + dragonfly_links(other, one)) / 2.0;
  return links * class_link_seconds + (bytes + envelope_bytes) / class_link_bytes_per_second;
}

/// The record of ping-pongs between some of 256 ranks, one on each host.
nlohmann::json pingpongs(const std::string& pairs) {
  return record_on_dragonfly("hockney-pingpong", {"--sizes", "8,4K", "--pairs", pairs});
}

/// The hosts of whole routers, chassis and groups: the first two of every router.
std::vector<std::string> two_hosts_each() {
  std::vector<std::string> hosts;
  for (int host = 0; host < 256; ++host) {
    if (host % 4 < 2) hosts.push_back("nid" + std::to_string(host));
  }
  return hosts;
}

}  // namespace

TEST_CASE("256 ranks of a dragonfly are 0, 1, 2 and 5 hops apart, and as far in time") {
  // Pairs whose routes have so many links between routers both ways, and the classes they are in.
  const std::map<std::string, std::pair<int, std::string>> wanted{{"0-1", {0, "same-router"}},
                                                                  {"0-4", {1, "same-chassis"}},
                                                                  {"20-40", {2, "same-group"}},
                                                                  {"28-124", {5, "other-group"}}};
  std::string pairs;
  for (const auto& [pair, what] : wanted) pairs += (pairs.empty() ? "" : ",") + pair;
  const nlohmann::json record = pingpongs(pairs);
  CHECK(record.at("provenance").at("network").at("source") == "sites");
  REQUIRE(record.at("ranks").size() == 256);
  REQUIRE(record.at("series").size() == 2 * wanted.size());
  for (const auto& series : record.at("series")) {
    const auto& point = series.at("point");
    const int first = point.at("pair").at(0);
    const int second = point.at("pair").at(1);
    const std::string name = std::to_string(first) + "-" + std::to_string(second);
    INFO(name);
    CHECK(dragonfly_links(first, second) - links_to_routers == wanted.at(name).first);
    CHECK(dragonfly_links(second, first) - links_to_routers == wanted.at(name).first);
    CHECK(point.at("hop") == wanted.at(name).second);
    CHECK(series.at("summary").at("median_seconds").get<double>() ==
          Approx(latency_between(first, second, point.at("bytes"))).epsilon(0.001));
  }
}

TEST_CASE("one pair stands for each class of the network", "[nightly]") {
  const nlohmann::json record = pingpongs("representative");
  std::map<std::string, int> pairs;
  for (const auto& series : record.at("series")) ++pairs[series.at("point").at("hop")];
  CHECK(pairs ==
        std::map<std::string, int>{
            {"same-router", 2}, {"same-chassis", 2}, {"same-group", 2}, {"other-group", 2}});
}

TEST_CASE("latencies alone tell routers and groups of the dragonfly") {
  const auto hosts = two_hosts_each();
  const Record record = simulate_pairs(dragonfly_network(), hosts, {8});
  const auto guess = placement::infer_sites(placement::host_latencies({&record, 1}), "simulated");
  CHECK(guess.measured == hosts.size() * (hosts.size() - 1) / 2);
  CHECK(guess.kinds == 6);  // 0 to 5 links between routers
  // The tier between is no chassis for sure: routers of one chassis are as far apart as those of
  // one number in several.
  REQUIRE(guess.sites.levels.size() == 3);
  CHECK(placement::sites_of_levels(guess.sites).front() == 64);
  CHECK(placement::sites_of_levels(guess.sites).back() == 4);
  const SiteFile truth = dragonfly_sites();
  std::size_t wrong = 0;
  for (const std::string& one : hosts) {
    for (const std::string& other : hosts) {
      if (one == other) continue;
      const std::string guessed = network_hop(guess.sites, one, other);
      const std::string right = network_hop(truth, one, other);
      const bool is_near = (guessed == "same-tier-1") == (right == "same-router");
      const bool is_far = (guessed == "other-tier-3") == (right == "other-group");
      if (!is_near || !is_far) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace hockney::simulation
