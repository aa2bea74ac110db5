#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <iostream>
#include <random>

#include "models/collectives/collective_fit.hpp"
#include "models/collectives/measured_network.hpp"
#include "tests/simulation/simulated_collectives.hpp"

// Models fitted to at most 64 ranks, asked for 256.
namespace hockney::simulation {
namespace {

/// The hosts of a number of ranks.
using Allocation = std::function<std::vector<std::string>(int ranks)>;

/// In runs in which every operation occurs once.
std::vector<std::vector<SimulatedAlgorithm>> held_out_runs() {
  return {{{"barrier", "ompi_bruck", "bruck"},
           {"bcast", "binomial_tree", "in-order_binomial"},
           {"reduce", "binomial", "binomial"},
           {"allreduce", "rdb", "recursive_doubling"},
           {"allgather", "rdb", "recursive_doubling"},
           {"gather", "ompi_binomial", "binomial"},
           {"reduce_scatter", "ompi_basic_recursivehalving", "recursive_halving"}},
          {{"barrier", "ompi_tree", "tree"},
           {"bcast", "scatter_LR_allgather", "scatter_allgather_ring"},
           {"reduce", "scatter_gather", "rabenseifner"},
           {"allreduce", "lr", "ring"},
           {"allgather", "bruck", "bruck"},
           {"alltoall", "bruck", "modified_bruck"},
           {"reduce_scatter", "ompi_ring", "ring"}}};
}

/// So many hosts, one after the other.
Allocation first_hosts(const SimulatedNetwork& network) {
  return [hosts = network.hosts](int ranks) {
    return std::vector<std::string>(hosts.begin(), hosts.begin() + ranks);
  };
}

/// Half of the hosts in another group, as a busy machine gives them: what nobody has measured of
/// the channels between groups, nobody can predict. All hosts are the whole machine.
Allocation two_groups(const SimulatedNetwork& network) {
  return [hosts = network.hosts](int ranks) {
    constexpr int group = 64;
    if (ranks < 32 || ranks > group) {
      return std::vector<std::string>(hosts.begin(), hosts.begin() + ranks);
    }
    std::vector<std::string> some(hosts.begin(), hosts.begin() + ranks / 2);
    some.insert(some.end(), hosts.begin() + group, hosts.begin() + group + ranks / 2);
    return some;
  };
}

struct Outcome {
  std::size_t pairs = 0;  ///< of operation and algorithm
  double mean = 0;
  double worst = 0;  ///< of the pairs' means
  std::string worst_pair;
  std::string table;
};

/// Blocks of ranks stay small: every rank has one for every other.
std::vector<std::int64_t> sizes_of(const SimulatedAlgorithm& algorithm,
                                   const std::vector<std::int64_t>& sizes) {
  if (algorithm.operation == "barrier") return {0};
  const bool in_blocks = algorithm.operation == "gather" || algorithm.operation == "allgather" ||
                         algorithm.operation == "alltoall";
  return in_blocks ? std::vector<std::int64_t>{8, 256} : sizes;
}

/// Records of all runs on the hosts of an allocation.
std::vector<Record> measure(const SimulatedNetwork& all, const Allocation& allocation, int ranks,
                            const std::vector<std::int64_t>& sizes) {
  const SimulatedNetwork network{all.xml, allocation(ranks)};
  std::vector<Record> records;
  for (const auto& run : held_out_runs()) {
    std::vector<SimulatedWork> works;
    for (const SimulatedAlgorithm& algorithm : run) {
      works.push_back({algorithm, sizes_of(algorithm, sizes)});
    }
    const auto times = simulate(network, works, ranks);
    for (std::size_t i = 0; i < run.size(); ++i) {
      records.push_back(record_of(network, run[i], ranks, times[i]));
    }
  }
  return records;
}

/// Mean error of a fit on the records of its algorithm.
double mean_error(const collectives::Fit& fit, const std::vector<collectives::Curve>& truth) {
  for (const collectives::Curve& curve : truth) {
    const bool same =
        curve.operation == fit.curve.operation && curve.algorithm == fit.curve.algorithm;
    if (!same) continue;
    double sum = 0;
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const double seconds = curve.medians_seconds[i].front();
      const auto found = predict(fit, curve.works[i]);
      REQUIRE(found);
      CHECK(found->extrapolated.in_ranks);
      sum += std::abs(found->seconds - seconds) / seconds;
    }
    return sum / static_cast<double>(curve.works.size());
  }
  FAIL("no truth for " << fit.curve.operation);
  return 1;
}

Outcome hold_out(const SimulatedNetwork& network, const Allocation& allocation,
                 const std::vector<std::int64_t>& sizes, const collectives::FormContext& context) {
  std::vector<Record> records;
  for (const int ranks : {4, 8, 16, 32, 64}) {
    const auto some = measure(network, allocation, ranks, sizes);
    records.insert(records.end(), some.begin(), some.end());
  }
  const auto fits = fit_collectives(collectives::collect_collectives(records), context).fits;
  const auto truth = collectives::collect_collectives(measure(network, allocation, 256, sizes));
  Outcome outcome{.pairs = fits.size()};
  for (const collectives::Fit& fit : fits) {
    const double error = mean_error(fit, truth);
    const std::string name = fit.curve.operation + ' ' + fit.curve.algorithm.value_or("");
    outcome.table += name + ": " + fit.model.form.name + ' ' + std::to_string(100 * error) + " %\n";
    outcome.mean += error / static_cast<double>(fits.size());
    if (error >= outcome.worst) {
      outcome.worst = error;
      outcome.worst_pair = name;
    }
  }
  return outcome;
}

/// Six launches of each record, every time longer or shorter by a few per cent.
std::vector<Record> noisy_launches(const std::vector<Record>& records) {
  std::mt19937_64 draw(20265);
  std::normal_distribution<double> noise(0, 0.03);
  std::vector<Record> launches;
  for (const Record& record : records) {
    for (int launch = 0; launch < 6; ++launch) {
      launches.push_back(record);
      for (Series& series : launches.back().series) {
        const double factor = std::exp(noise(draw));
        for (double& seconds : series.samples_seconds) seconds *= factor;
      }
    }
  }
  return launches;
}

/// How many predictions there were, and whose intervals hold the simulated time.
struct Coverage {
  int predictions = 0;
  int covered = 0;
  std::string missed;
};

/// Of 4 to 32 ranks, asked for more.
Coverage cover(const SimulatedNetwork& network, const std::vector<std::int64_t>& sizes, int ranks) {
  const Allocation allocation = first_hosts(network);
  std::vector<Record> records;
  for (const int fitted : {4, 8, 16, 32}) {
    const auto some = noisy_launches(measure(network, allocation, fitted, sizes));
    records.insert(records.end(), some.begin(), some.end());
  }
  const collectives::Fits fits = fit_collectives(collectives::collect_collectives(records));
  Coverage coverage;
  for (const auto& curve :
       collectives::collect_collectives(measure(network, allocation, ranks, sizes))) {
    for (std::size_t i = 0; i < curve.works.size(); ++i) {
      const collectives::PredictedTime found = predict(
          fits, nullptr, {curve.operation, curve.algorithm.value_or(""), ""}, curve.works[i]);
      if (objection_to(found)) continue;
      REQUIRE(found.prediction.interval);
      const double seconds = curve.medians_seconds[i].front();
      const Interval& interval = *found.prediction.interval;
      const bool is_covered = seconds >= interval.low && seconds <= interval.high;
      ++coverage.predictions;
      if (is_covered) ++coverage.covered;
      if (!is_covered) coverage.missed += curve.operation + ' ' + *curve.algorithm + '\n';
    }
  }
  return coverage;
}

void check(const Coverage& coverage, double share) {
  INFO(coverage.covered << " of " << coverage.predictions << " intervals hold the truth; not:\n"
                        << coverage.missed);
  std::clog << coverage.covered << " of " << coverage.predictions
            << " intervals hold the truth; not:\n"
            << coverage.missed;
  CHECK(coverage.predictions > 20);
  CHECK(coverage.covered >= share * coverage.predictions);
}

void check(const Outcome& outcome, double mean, double worst) {
  INFO(outcome.table << "mean " << 100 * outcome.mean << " %, worst " << 100 * outcome.worst
                     << " %: " << outcome.worst_pair);
  std::clog << outcome.table << "mean " << 100 * outcome.mean << " %, worst " << 100 * outcome.worst
            << " % " << outcome.worst_pair << '\n';
  CHECK(outcome.pairs >= 10);
  CHECK(outcome.mean <= mean);
  CHECK(outcome.worst <= worst);
}

}  // namespace

TEST_CASE("intervals of predictions hold the simulated truth on a uniform network") {
  check(cover(uniform_network(64), {2048, 65536}, 64), 0.95);
}

TEST_CASE("intervals of predictions hold the simulated truth in a group of a dragonfly",
          "[nightly]") {
  check(cover(dragonfly_network(), {2048, 4096}, 64), 0.95);
}

TEST_CASE("models of up to 64 ranks hold at 256 on a uniform network", "[.][study]") {
  const SimulatedNetwork network = uniform_network(256);
  check(hold_out(network, first_hosts(network), {2048, 65536}, {}), 0.05, 0.2);
}

TEST_CASE("models of up to 64 ranks hold at 256 on a dragonfly", "[.][study]") {
  std::vector<std::string> hosts;
  const SimulatedNetwork dragonfly = dragonfly_network();
  for (int host = 0; host < 256; host += 4) hosts.push_back("nid" + std::to_string(host));
  hosts.insert(hosts.begin(), "nid1");
  std::vector<Record> pairs{simulate_pairs(dragonfly, hosts, {0, 1024, 65536})};
  name_network_hops(pairs, dragonfly_sites());
  const collectives::MeasuredNetwork network(dragonfly_sites(), pairs,
                                             models::fit_curves(models::collect_curves(pairs)));
  collectives::FormContext context;
  context.network = [&](int ranks) { return network.on(two_groups(dragonfly)(ranks)); };
  check(hold_out(dragonfly, two_groups(dragonfly), {2048, 4096}, context), 0.1, 0.5);
}

}  // namespace hockney::simulation
