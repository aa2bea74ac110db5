#include <catch2/catch.hpp>
#include <set>

#include "benchmarks/programs/launch/communicators.hpp"
#include "benchmarks/programs/launch/workload.hpp"
#include "core/error.hpp"
#include "tests/benchmarks/programs/launch/some_jobs.hpp"

namespace hockney::benchmarks::programs {
namespace {

TEST_CASE("all pairs of four ranks form three rounds of two; isolated slots hold one pair") {
  LaunchOptions options = options_for({"pingpong"});
  options.pairs = PairChoice::all;
  const LaunchPlan isolated = plan_workload(options, four_ranks());
  CHECK(isolated.rounds.size() == 3);
  CHECK(isolated.points.size() == 12);
  for (const Slot& slot : isolated.slots) CHECK(slot.points.size() == 1);
  options.concurrent = true;
  const LaunchPlan concurrent = plan_workload(options, four_ranks());
  CHECK(concurrent.slots.size() == 6);
  for (const Slot& slot : concurrent.slots) CHECK(slot.points.size() == 2);
}

TEST_CASE("sparse pairs are of the first ranks of nodes, each in one pair of a round") {
  LaunchOptions options = options_for({"pingpong"});
  options.pairs = PairChoice::sparse;
  options.concurrent = true;
  const JobPlacement job{
      .sites = number_sites({"a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"})};
  std::set<std::vector<int>> seen;
  for (std::uint64_t night = 0; night < 5; ++night) {
    options.sparse = {.rounds = 1, .night = night};
    const LaunchPlan plan = plan_workload(options, job);
    REQUIRE(plan.points.size() == 6);
    CHECK(plan.slots.size() == 2);
    for (const PlannedMeasurement& planned : plan.points) {
      for (const int rank : planned.point.pair) CHECK(rank % 2 == 0);
      seen.insert(planned.point.pair);
    }
  }
  CHECK(seen.size() == 15);
}

TEST_CASE("sparse pairs on one node are of its ranks, and of a wanted hop class") {
  LaunchOptions options = options_for({"pingpong"});
  options.pairs = PairChoice::sparse;
  options.sparse = {.rounds = 3};
  JobPlacement job = ranks_on_one_l3(4);
  job.sites[1].pu->core = 0;
  CHECK(plan_workload(options, job).points.size() == 12);
  options.hops = {placement::Hop::smt};
  CHECK(plan_workload(options, job).points.size() == 2);
  options.hops = {placement::Hop::numa};
  CHECK_THROWS_AS(plan_workload(options, job), InputError);
  options.hops = {};
  options.sparse = {.rounds = 16};  // more than there are: all pairs
  CHECK(plan_workload(options, job).points.size() == 12);
}

TEST_CASE("listed pairs are those measured, in as few rounds as they allow") {
  LaunchOptions options = options_for({"pingpong"});
  options.pairs = PairChoice::listed;
  options.listed = {{3, 0}, {1, 2}, {0, 1}};
  const LaunchPlan plan = plan_workload(options, four_ranks());
  CHECK(plan.rounds.size() == 2);
  CHECK(plan.points.size() == 6);
  CHECK(plan.points.front().point.hop.has_value());
  options.listed = {{0, 4}};
  CHECK_THROWS_AS(plan_workload(options, four_ranks()), InputError);
}

TEST_CASE("only wanted hop classes are measured, and a class nobody has is an error") {
  LaunchOptions options = options_for({"pingpong"});
  options.hops = {placement::Hop::l3};
  const LaunchPlan workload = plan_workload(options, four_ranks());
  REQUIRE(workload.points.size() == 2);
  CHECK(workload.points.front().point.pair == std::vector<int>{0, 2});
  options.hops = {placement::Hop::package};
  CHECK_THROWS_WITH(plan_workload(options, four_ranks()),
                    Catch::Contains("the classes present are: smt, l3, cross-node"));
}

TEST_CASE("how far apart two ranks are is known where the job says so") {
  const JobPlacement job = four_ranks();
  CHECK(hop_of(job, {0, 1}) == placement::Hop::smt);
  CHECK(hop_of(job, {1, 2}) == placement::Hop::l3);
  CHECK(hop_of(job, {2, 3}) == placement::Hop::cross_node);
  CHECK(hop_of(ranks_without_places(2), {0, 1}) == std::nullopt);
  CHECK(hop_of(job, {0, 4}) == std::nullopt);
  CHECK(hop_of({}, {0, 1}) == std::nullopt);
}

}  // namespace
}  // namespace hockney::benchmarks::programs
