#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "models/collectives/forms.hpp"
#include "models/collectives/replay.hpp"
#include "tests/simulation/simulated_collectives.hpp"
#include "tests/support/study.hpp"

// The simulator's algorithms against the closed forms, and against the replay of their schedules.
namespace hockney::simulation {
namespace {

constexpr double alpha = 1e-6 + envelope_bytes / 10e9;
constexpr double beta = 1 / 10e9;
constexpr double tolerance = 0.001;

const std::vector<SimulatedAlgorithm>& algorithms() {
  static const std::vector<SimulatedAlgorithm> all{
      {"barrier", "ompi_bruck", "bruck"},
      {"barrier", "ompi_recursivedoubling", "recursive_doubling"},
      {"barrier", "ompi_doublering", "double_ring"},
      {"barrier", "ompi_tree", "tree"},
      {"bcast", "binomial_tree", "in-order_binomial"},
      {"bcast", "flattree", "basic_linear"},
      {"bcast", "scatter_LR_allgather", "scatter_allgather_ring"},
      {"bcast", "scatter_rdb_allgather", "scatter_allgather"},
      {"reduce", "binomial", "binomial"},
      {"reduce", "ompi_basic_linear", "linear"},
      {"reduce", "scatter_gather", "rabenseifner"},
      {"allreduce", "rdb", "recursive_doubling"},
      {"allreduce", "lr", "ring"},
      {"allreduce", "rab_rdb", "rabenseifner"},
      {"allreduce", "ompi_ring_segmented", "segmented_ring"},
      {"allgather", "ring", "ring"},
      {"allgather", "bruck", "bruck"},
      {"allgather", "rdb", "recursive_doubling"},
      {"allgather", "ompi_neighborexchange", "neighbor"},
      {"alltoall", "basic_linear", "linear"},
      {"alltoall", "pair", "pairwise"},
      {"alltoall", "ring", "pairwise"},
      {"alltoall", "bruck", "modified_bruck"},
      {"gather", "ompi_basic_linear", "basic_linear"},
      {"gather", "ompi_binomial", "binomial"},
      {"scatter", "ompi_basic_linear", "basic_linear"},
      {"scatter", "ompi_linear_nb", "linear_nb"},
      {"reduce_scatter", "ompi_ring", "ring"},
      {"reduce_scatter", "ompi_basic_recursivehalving", "recursive_halving"},
      {"reduce_scatter", "mpich_pair", "pairwise"}};
  return all;
}

/// Where the closed form leaves out the envelopes of messages that are under way together, sizes at
/// which they are less than a thousandth.
std::vector<std::int64_t> sizes_of(const SimulatedAlgorithm& algorithm) {
  if (algorithm.operation == "barrier") return {0};
  const bool at_once = algorithm.hockney == "basic_linear" || algorithm.hockney == "linear" ||
                       algorithm.hockney == "linear_nb";
  if (at_once) return {32768, 65536};
  return {4096, 65536};
}

/// Algorithms in runs in which every operation occurs once.
std::vector<std::vector<SimulatedWork>> runs() {
  std::vector<std::vector<SimulatedWork>> all;
  std::map<std::string, std::size_t> times;
  for (const SimulatedAlgorithm& algorithm : algorithms()) {
    const std::size_t run = times[algorithm.operation]++;
    if (run == all.size()) all.emplace_back();
    all[run].push_back({algorithm, sizes_of(algorithm)});
  }
  return all;
}

double closed_seconds(const collectives::ClosedForm& form, const schedules::Workload& work) {
  const collectives::Costs costs = form.costs(work);
  return costs.alpha_count * alpha + costs.beta_bytes * beta;
}

void check(const SimulatedAlgorithm& algorithm, const SimulatedTime& time) {
  const schedules::Workload work{.ranks = time.ranks, .bytes = {time.bytes}, .element_bytes = 8};
  const auto forms = collectives::closed_forms(algorithm.operation, algorithm.hockney);
  REQUIRE(!forms.empty());
  const double closed = closed_seconds(forms.front(), work);
  const double replayed = replay(schedule_of(algorithm.operation, algorithm.hockney, work),
                                 collectives::RankNetwork::uniform(alpha, beta));
  INFO(algorithm.operation << ' ' << algorithm.simulator << ", " << time.ranks << " ranks, "
                           << time.bytes << " B: simulated " << time.seconds << " s, closed "
                           << closed << " s, replayed " << replayed << " s");
  CHECK(error_of(closed, time.seconds) < tolerance);
  CHECK(error_of(replayed, time.seconds) < tolerance);
}

}  // namespace

TEST_CASE("closed forms and replays are what the simulator's algorithms take", "[study]") {
  REQUIRE(algorithms().size() >= 20);
  for (const int ranks : first_of<int>(2, {8, 16, 64})) {
    for (const auto& works : runs()) {
      const auto times = simulate(uniform_network(ranks), works, ranks);
      for (std::size_t i = 0; i < works.size(); ++i) {
        for (const SimulatedTime& time : times[i]) check(works[i].algorithm, time);
      }
    }
  }
}

TEST_CASE("binomial scatter of the simulator serves its nearest child first") {
  const collectives::ClosedForm form = collectives::closed_forms("scatter", "binomial").at(1);
  for (const int ranks : {8, 16, 64}) {
    const SimulatedWork work{{"scatter", "ompi_binomial", "binomial"}, {4096, 65536}};
    const auto times = simulate(uniform_network(ranks), {work}, ranks);
    for (const SimulatedTime& time : times.front()) {
      const double closed = closed_seconds(form, {.ranks = ranks, .bytes = {time.bytes}});
      CHECK(error_of(closed, time.seconds) < tolerance);
    }
  }
}

}  // namespace hockney::simulation
