// Schedules replayed on a dragonfly whose pairs were measured, against the simulator itself.

#include <catch2/catch.hpp>
#include <cmath>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"
#include "models/collectives/replay.hpp"
#include "tests/simulation/simulated_collectives.hpp"

namespace hockney {
namespace {

constexpr double link_seconds = 300e-9;
constexpr double link_bytes_per_second = 8e9;

/// One host of every router, and a second one of the first.
std::vector<std::string> one_host_each() {
  std::vector<std::string> hosts{"nid1"};
  for (int host = 0; host < 256; host += 4) hosts.push_back("nid" + std::to_string(host));
  return hosts;
}

struct Measured {
  std::vector<Record> records;
  FitSet fits;
};

/// Ping-pongs between all routers, their hop classes named by the site file.
Measured measure() {
  Measured measured{{simulate_pairs(dragonfly_network(), one_host_each(), {0, 1024, 65536})}, {}};
  name_network_hops(measured.records, dragonfly_sites());
  measured.fits = fit_curves(collect_curves(measured.records));
  return measured;
}

double error_of(double predicted, double seconds) {
  return std::abs(predicted - seconds) / seconds;
}

}  // namespace

TEST_CASE("every algorithm's time on the dragonfly is that of its schedule") {
  const Measured measured = measure();
  const MeasuredNetwork network(dragonfly_sites(), measured.records, measured.fits);
  const std::vector<SimulatedWork> works{
      {{"barrier", "ompi_bruck", "bruck"}, {0}},
      {{"allreduce", "rdb", "recursive_doubling"}, {8}},
      {{"bcast", "binomial_tree", "in-order_binomial"}, {8, 4096, 65536}}};
  for (const int ranks : {4, 8, 16, 32, 64, 128, 256}) {
    const auto& hosts = dragonfly_network().hosts;
    const auto on = network.on({hosts.begin(), hosts.begin() + ranks});
    REQUIRE(on);
    const auto times = simulate(dragonfly_network(), works, ranks);
    for (std::size_t i = 0; i < works.size(); ++i) {
      const SimulatedAlgorithm& algorithm = works[i].algorithm;
      for (const SimulatedTime& time : times[i]) {
        const double replayed =
            replay(schedule_of(algorithm.operation, algorithm.hockney,
                               {.ranks = ranks, .bytes = {time.bytes}, .element_bytes = 8}),
                   *on);
        INFO(algorithm.operation << ", " << ranks << " ranks, " << time.bytes << " B: simulated "
                                 << time.seconds << " s, replayed " << replayed << " s");
        CHECK(error_of(replayed, time.seconds) < 0.01);
      }
    }
  }
}

}  // namespace hockney
