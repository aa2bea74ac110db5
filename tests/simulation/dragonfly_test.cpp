#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"
#include "models/collectives/replay.hpp"
#include "tests/simulation/simulated_collectives.hpp"

// Schedules replayed on a dragonfly whose pairs were measured, against the simulator itself.
namespace hockney::simulation {
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
  models::FitSet fits;
};

/// Ping-pongs between all routers, their hop classes named by the site file; simulated once.
const Measured& measured_routers() {
  static const Measured once = [] {
    Measured measured{{simulate_pairs(dragonfly_network(), one_host_each(), {0, 1024, 65536})}, {}};
    name_network_hops(measured.records, dragonfly_sites());
    measured.fits = models::fit_curves(models::collect_curves(measured.records));
    return measured;
  }();
  return once;
}

/// Of a message from the lower to the higher host, which is what was timed: back it may be another
/// route.
double alpha_between(int from, int to) {
  return dragonfly_links(std::min(from, to), std::max(from, to)) * link_seconds +
         envelope_bytes / link_bytes_per_second;
}

int number_of(const std::string& host) { return std::stoi(host.substr(3)); }

/// Median alpha of the pairs of each hop class [s].
std::map<std::string, double> true_alphas() {
  std::map<std::string, std::vector<double>> alphas;
  const auto hosts = one_host_each();
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    for (std::size_t j = i + 1; j < hosts.size(); ++j) {
      alphas[network_hop(dragonfly_sites(), hosts[i], hosts[j])].push_back(
          alpha_between(number_of(hosts[i]), number_of(hosts[j])));
    }
  }
  std::map<std::string, double> medians;
  for (const auto& [hop, values] : alphas) medians[hop] = median(values).value();
  return medians;
}

/// The black box's barrier, a + b log2 p, fitted to the simulator's times of 4 to 64 ranks.
collectives::FormFit fit_black_box(const SimulatedWork& barrier) {
  std::vector<collectives::TimedWork> times;
  for (const int ranks : {4, 8, 16, 32, 64}) {
    const double seconds = simulate(dragonfly_network(), {barrier}, ranks).front().front().seconds;
    times.push_back({{.ranks = ranks, .bytes = {0}}, seconds, seconds});
  }
  const auto forms = collectives::forms_for("barrier", std::nullopt);
  const auto form = std::ranges::find(forms, "log2", &collectives::Form::name);
  REQUIRE(form != forms.end());
  return fit_form(*form, times, 0.001).value();
}

}  // namespace

TEST_CASE("every algorithm's time on the dragonfly is that of its schedule") {
  const Measured& measured = measured_routers();
  const collectives::MeasuredNetwork network(dragonfly_sites(), measured.records, measured.fits);
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
        const double replayed = replay(
            schedules::schedule_of(algorithm.operation, algorithm.hockney,
                                   {.ranks = ranks, .bytes = {time.bytes}, .element_bytes = 8}),
            *on);
        INFO(algorithm.operation << ", " << ranks << " ranks, " << time.bytes << " B: simulated "
                                 << time.seconds << " s, replayed " << replayed << " s");
        CHECK(error_of(replayed, time.seconds) < 0.01);
      }
    }
  }
}

TEST_CASE("alpha and beta of every hop class of the dragonfly are found") {
  const Measured& measured = measured_routers();
  const auto truth = true_alphas();
  REQUIRE(truth.size() == 4);
  REQUIRE(measured.fits.fits.size() == truth.size());
  for (const models::Fit& fit : measured.fits.fits) {
    INFO(fit.point.hop.value());
    REQUIRE(fit.segments.size() == 1);
    const models::Line& line = fit.segments.front().line;
    CHECK(error_of(line.alpha_seconds, truth.at(*fit.point.hop)) < 0.001);
    CHECK(error_of(line.beta_seconds_per_byte, 1 / link_bytes_per_second) < 0.001);
  }
}

TEST_CASE("every pair of the dragonfly is as far apart as its links are") {
  const Measured& measured = measured_routers();
  const collectives::MeasuredNetwork network(dragonfly_sites(), measured.records, measured.fits);
  const auto& hosts = dragonfly_network().hosts;
  const collectives::RankNetwork on = network.on(hosts).value();
  for (int from = 0; from < 256; from += 5) {
    for (int to = 0; to < 256; to += 3) {
      if (from == to) continue;
      const double alpha =
          on.cost(on.hop(from, to)).segments.front().alpha_seconds + on.offset_seconds(from, to);
      INFO(from << " to " << to << ": " << alpha << " s");
      CHECK(error_of(alpha, alpha_between(from, to)) < 0.001);
    }
  }
}

TEST_CASE("the logarithm of the ranks alone is a third wrong on the dragonfly") {
  const SimulatedWork barrier{{"barrier", "ompi_bruck", "bruck"}, {0}};
  const collectives::FormFit black_box = fit_black_box(barrier);
  for (const int ranks : {128, 256}) {
    const double seconds = simulate(dragonfly_network(), {barrier}, ranks).front().front().seconds;
    const double error = error_of(black_box.at({.ranks = ranks, .bytes = {0}}).value(), seconds);
    INFO(ranks << " ranks: " << error);
    CHECK(error > 1.0 / 3);
    CHECK(error < 0.7);
  }
}

}  // namespace hockney::simulation
