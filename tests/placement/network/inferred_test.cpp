#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "core/error.hpp"
#include "placement/network/inferred_sites.hpp"
#include "tests/placement/network/described_networks.hpp"

// Networks whose structure is known, measured with noise that is known, and found again.
namespace hockney::placement {
namespace {

/// A network of nested sites: `sizes[k]` sites of level k are in one of the next.
struct Nested {
  std::vector<int> sizes;            ///< hosts at a switch, switches in a group, groups
  std::vector<double> microseconds;  ///< of the classes, near to far

  [[nodiscard]] int hosts() const {
    int all = 1;
    for (const int size : sizes) all *= size;
    return all;
  }
  /// The lowest level at which two hosts meet.
  [[nodiscard]] std::size_t level(int a, int b) const {
    std::size_t level = 0;
    int width = sizes[0];
    while (a / width != b / width) width *= sizes[++level];
    return level;
  }
};

std::string host_name(int host) { return "n" + std::to_string(100 + host); }

/// Normal noise on the logarithm, and for each pair a chance of 2 % to be up to half as slow again.
std::vector<HostLatency> measured(const Nested& network, double noise, unsigned seed,
                                  double share = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(0, noise);
  std::uniform_real_distribution<double> chance(0, 1);
  std::vector<HostLatency> latencies;
  for (int a = 0; a < network.hosts(); ++a) {
    for (int b = a + 1; b < network.hosts(); ++b) {
      double seconds = network.microseconds[network.level(a, b)] * 1e-6 * std::exp(spread(random));
      if (chance(random) < 0.02) seconds *= 1 + chance(random) / 2;
      if (chance(random) <= share) latencies.push_back({host_name(a), host_name(b), seconds});
    }
  }
  return latencies;
}

/// The share of all pairs of hosts that meet at the level at which they do.
double agreement(const Nested& network, const SiteFile& sites) {
  const std::vector<std::string> classes = network_hops(sites);
  int right = 0;
  int all = 0;
  for (int a = 0; a < network.hosts(); ++a) {
    for (int b = a + 1; b < network.hosts(); ++b, ++all) {
      const std::size_t level = network.level(a, b);
      const bool is_known = level < classes.size();
      if (is_known && network_hop(sites, host_name(a), host_name(b)) == classes[level]) ++right;
    }
  }
  return static_cast<double>(right) / all;
}

}  // namespace

TEST_CASE("structures are found in noise, for at least 95 % of the pairs") {
  const Nested network = GENERATE(Nested{{4, 4}, {1.2, 1.7}},          // two leaves' worth of tree
                                  Nested{{8, 4, 2}, {1.2, 1.6, 2.4}},  // switch, group, other group
                                  Nested{{4, 16, 4}, {1.0, 1.3, 2.0}},         // a dragonfly's
                                  Nested{{2, 4, 4, 2}, {0.9, 1.2, 1.7, 2.6}},  // four levels
                                  Nested{{16, 2}, {10, 40}});                  // Ethernet
  const double noise = GENERATE(0.01, 0.03, 0.05);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const InferredSites inferred = infer_sites(measured(network, noise, seed), "generated");
    INFO(network.hosts() << " hosts, noise " << noise << ", seed " << seed << ", levels "
                         << inferred.sites.levels.size());
    CHECK(inferred.sites.levels.size() + 1 == network.sizes.size());
    CHECK(agreement(network, inferred.sites) >= 0.95);
    CHECK(inferred.agreement >= 0.9);
    CHECK(inferred.sites.origin->inferred);
  }
}

TEST_CASE("a third of the pairs will do") {
  const Nested network{{8, 4, 2}, {1.2, 1.6, 2.4}};
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const InferredSites inferred = infer_sites(measured(network, 0.03, seed, 0.33), "generated");
    CHECK(agreement(network, inferred.sites) >= 0.95);
  }
}

TEST_CASE("where there is no structure none is found") {
  const Nested flat{{24}, {1.2}};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const InferredSites inferred = infer_sites(measured(flat, 0.03, seed), "generated");
    INFO("seed " << seed);
    CHECK(inferred.sites.levels.empty());
    CHECK(network_hop(inferred.sites, "n100", "n101") == "cross-node");
  }
}

TEST_CASE("four hosts at two switches are told from four at one") {
  const Nested two{{2, 2}, {1.2, 1.8}};
  const Nested one{{4}, {1.2}};
  constexpr int tries = 400;
  int right = 0;
  int wrong = 0;
  for (unsigned seed = 1; seed <= tries; ++seed) {
    if (agreement(two, infer_sites(measured(two, 0.03, seed), "generated").sites) == 1) ++right;
    if (!infer_sites(measured(one, 0.03, seed), "generated").sites.levels.empty()) ++wrong;
  }
  CHECK(right >= 0.9 * tries);
  CHECK(wrong <= 0.03 * tries);
}

TEST_CASE("too few hosts, and hosts that no pair joins, are refused") {
  CHECK_THROWS_WITH(infer_sites({{"a", "b", 1e-6}}, "t"), Catch::Contains("three hosts at least"));
  CHECK_THROWS_WITH(infer_sites({{"a", "b", 1e-6}, {"c", "d", 1e-6}}, "t"),
                    Catch::Contains("no pair was measured"));
  CHECK_THROWS_AS(infer_sites({{"a", "b", 0}, {"b", "c", 1e-6}}, "t"), InputError);
}

TEST_CASE("valleys lie between kinds of values, and outliers are no kind") {
  CHECK(density_valleys({1, 1, 1, 1}).empty());
  CHECK(density_valleys({1e-6}).empty());
  const auto two = density_valleys({1, 1.01, 1.02, 2, 2.01, 2.02});
  REQUIRE(two.size() == 1);
  CHECK(two[0] == Approx(std::sqrt(1.02 * 2)));
  std::vector<double> alike;
  for (int i = 0; i < 100; ++i) alike.push_back(1 + 0.0005 * i);
  alike.push_back(3);
  alike.push_back(0.2);
  CHECK(density_valleys(alike).empty());
}

TEST_CASE("clusters join by the mean of all that was measured between them") {
  // 0 and 1 are near, then 2 joins at the mean of its two distances.
  const auto joins = average_linkage(3, {{0, 1, 1}, {0, 2, 4}, {1, 2, 6}});
  REQUIRE(joins.size() == 2);
  CHECK(joins[0].distance == 1);
  CHECK(joins[1].kept == 0);
  CHECK(joins[1].given_up == 2);
  CHECK(joins[1].distance == 5);
  CHECK(clusters_below(3, joins, 5) == std::vector<std::size_t>{0, 0, 2});
  CHECK(clusters_below(3, joins, 5.1) == std::vector<std::size_t>{0, 0, 0});
  CHECK(average_linkage(3, {{0, 1, 1}}).size() == 1);
}

TEST_CASE("latencies of records are those of the smallest ping-pongs between hosts") {
  Record record;
  record.ranks = {{.rank = 0, .host = "a"}, {.rank = 1, .host = "b"}, {.rank = 2, .host = "a"}};
  const auto series = [](std::vector<int> pair, std::int64_t bytes, double seconds) {
    Series one;
    one.point.operation = "pingpong";
    one.point.pair = std::move(pair);
    one.point.bytes = Bytes{bytes};
    one.samples_seconds = {seconds};
    one.blocks = {1};
    return one;
  };
  record.series = {series({0, 1}, 8, 2e-6), series({0, 1}, 1024, 3e-6), series({0, 2}, 0, 1e-7)};
  const auto latencies = host_latencies({&record, 1});
  REQUIRE(latencies.size() == 1);
  CHECK(latencies[0].first == "a");
  CHECK(latencies[0].second == "b");
  CHECK(latencies[0].seconds == 2e-6);
}

}  // namespace hockney::placement
