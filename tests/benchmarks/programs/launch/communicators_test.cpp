#include <catch2/catch.hpp>

#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/communicators.hpp"
#include "core/error.hpp"
#include "tests/benchmarks/programs/launch/some_jobs.hpp"

namespace hockney::benchmarks::programs {

namespace {

/// Five ranks: 0 and 1 share a core, 2 is on the same L3; 3 and 4 share an L3 of another node.
JobPlacement five_ranks() {
  JobPlacement job = ranks_on({"a", "a", "a", "b", "b"});
  job.sites[1].pu->core = 0;
  return job;
}

using Ranks = std::vector<int>;

TEST_CASE("communicators are of the ranks that they are said to be of") {
  const JobPlacement job = five_ranks();
  const auto world = split_ranks(Communicator::world, job);
  REQUIRE(world.size() == 1);
  CHECK(world[0][0].ranks == Ranks{0, 1, 2, 3, 4});
  CHECK_FALSE(world[0][0].parameters.contains(team_parameter));
  const auto node = split_ranks(Communicator::node, job);
  REQUIRE(node.size() == 1);
  REQUIRE(node[0].size() == 2);
  CHECK(node[0][0].ranks == Ranks{0, 1, 2});
  CHECK_FALSE(node[0][0].hop);
  CHECK(node[0][1].ranks == Ranks{3, 4});
  CHECK(node[0][1].hop == "l3");
  CHECK(node[0][1].parameters ==
        Parameters{{communicator_parameter, Communicator::node}, {team_parameter, 1}});
  CHECK(split_ranks(Communicator::leaders, job)[0][0].ranks == Ranks{0, 3});
  CHECK(split_ranks(Communicator::half, job)[0][0].ranks == Ranks{0, 1});
  const auto several = split_ranks(Communicator::several, job);
  CHECK(several[0][0].ranks == Ranks{0, 1});
  CHECK(several[0][1].ranks == Ranks{2, 3, 4});
}

TEST_CASE("within a hop class are all ranks that no larger hop parts") {
  const auto hops = split_ranks(Communicator::hops, five_ranks());
  REQUIRE(hops.size() == 3);
  REQUIRE(hops[0].size() == 1);
  CHECK(hops[0][0].ranks == Ranks{0, 1});
  CHECK(hops[0][0].hop == "smt");
  REQUIRE(hops[1].size() == 2);
  CHECK(hops[1][0].ranks == Ranks{0, 1, 2});
  CHECK(hops[1][0].hop == "l3");
  CHECK(hops[1][1].ranks == Ranks{3, 4});
  REQUIRE(hops[2].size() == 1);
  CHECK(hops[2][0].ranks == Ranks{0, 1, 2, 3, 4});
  CHECK(hops[2][0].hop == "cross-node");
}

TEST_CASE("across a hop class two places of equal width are parted") {
  const auto cuts = split_ranks(Communicator::across, five_ranks());
  REQUIRE(cuts.size() == 3);
  CHECK(cuts[0][0].ranks == Ranks{0, 1});
  CHECK(cuts[0][0].hop == "smt");
  CHECK(cuts[1][0].ranks == Ranks{0, 2});  // one thread of the core, for the other core has one
  CHECK(cuts[1][0].hop == "l3");
  CHECK(cuts[2][0].ranks == Ranks{0, 1, 3, 4});
  CHECK(cuts[2][0].hop == "cross-node");
  CHECK(cuts[2][0].parameters == Parameters{{communicator_parameter, Communicator::across}});
  const auto fans = split_ranks(Communicator::across, five_ranks(), CutUse::hub);
  CHECK(fans[2][0].ranks == Ranks{0, 3, 4});
}

TEST_CASE("where the network has classes there is a cut across each of them") {
  JobPlacement job = ranks_on({"a", "b", "c", "d", "e", "a", "b", "c", "d", "e"});
  job.network =
      SiteFile{.levels = {"switch"},
               .hosts = {"a", "b", "c", "d", "e"},
               .sites = {{"a", {"s"}}, {"b", {"s"}}, {"c", {"t"}}, {"d", {"t"}}, {"e", {"t"}}}};
  const auto cuts = split_ranks(Communicator::across, job);
  REQUIRE(cuts.size() == 3);
  CHECK(cuts[0][0].hop == "l3");
  CHECK(cuts[1][0].hop == "same-switch");
  CHECK(cuts[1][0].ranks == Ranks{0, 5, 1, 6});
  CHECK(cuts[2][0].hop == "other-switch");
  CHECK(cuts[2][0].ranks == Ranks{0, 1, 5, 6, 2, 3, 4, 7});
}

TEST_CASE("single ranks that are all as far apart are parted in halves") {
  const auto cores = split_ranks(Communicator::across, ranks_on_one_l3(5));
  REQUIRE(cores.size() == 1);
  CHECK(cores[0][0].ranks == Ranks{0, 1, 2, 3});
  CHECK(cores[0][0].hop == "l3");
  JobPlacement nodes = ranks_on({"a", "b", "c", "d"});
  CHECK(split_ranks(Communicator::across, nodes)[0][0].ranks == Ranks{0, 1, 2, 3});
  // No two of them are equally far apart.
  nodes.network = SiteFile{
      .levels = {"switch"},
      .hosts = {"a", "b", "c", "d"},
      .sites = {{"a", {"s"}}, {"b", {"t"}}, {"c", {"u"}}, {"d", {"v"}}},
      .hops = {
          {"s", {{"t", 1}, {"u", 2}, {"v", 3}}}, {"t", {{"u", 4}, {"v", 5}}}, {"u", {{"v", 6}}}}};
  const auto apart = split_ranks(Communicator::across, nodes);
  CHECK(apart.size() == 6);
  CHECK(apart.front()[0].hop == "1-hop");
}

TEST_CASE("operations of pairs are measured across hop classes, or of all ranks") {
  LaunchOptions options{.operations = {"cut", "fan-in"}, .sizes = {{8}}};
  options.communicators = {Communicator::world, Communicator::across};
  options.choices.set(flows_parameter, {Flows{2}});
  std::vector<std::string> found;
  for (const PlannedMeasurement& planned : plan_workload(options, five_ranks()).points) {
    found.push_back(planned.point.operation + " " + planned.point.hop.value_or("-") + " " +
                    planned.reason);
  }
  const std::string alone =
      "one message alone meets nothing, and no two ranks are on either side of this hop";
  CHECK(found == std::vector<std::string>{"cut - it needs an even number of ranks",
                                          "cut smt " + alone, "cut l3 " + alone, "cut cross-node ",
                                          "fan-in - ", "fan-in smt " + alone, "fan-in l3 " + alone,
                                          "fan-in cross-node "});
}

TEST_CASE("a communicator of fewer than two ranks is none") {
  const JobPlacement two = ranks_without_places(2);
  CHECK(split_ranks(Communicator::leaders, two).empty());
  CHECK(split_ranks(Communicator::several, two).empty());
  CHECK(split_ranks(Communicator::half, two).empty());
  CHECK(split_ranks(Communicator::hops, two).empty());
  CHECK(split_obstacle(Communicator::leaders) == "all ranks are on one node");
  CHECK_THROWS_WITH(parse_communicator("nodes"), Catch::Contains("did you mean 'node'?"));
}

TEST_CASE("teams of one round are measured at the same time, or skipped with the reason") {
  LaunchOptions options{.operations = {"allgather"}, .sizes = {{8}}};
  options.communicators = {Communicator::node, Communicator::several};
  const LaunchPlan workload = plan_workload(options, five_ranks());
  REQUIRE(workload.points.size() == 4);
  REQUIRE(workload.slots.size() == 2);
  CHECK(workload.slots[0].points == std::vector<std::size_t>{0, 1});
  CHECK(workload.points[0].point.ranks == 3);
  CHECK(workload.points[1].point.pair == Ranks{3, 4});
  CHECK(workload.points[2].point.parameters[communicator_parameter] == Communicator::several);
  options.communicators = {Communicator::several};
  const LaunchPlan few =
      plan_workload(options, {.sites = number_sites(std::vector<std::string>(3, "a"))});
  REQUIRE(few.points.size() == 1);
  CHECK(few.points[0].status == PointStatus::skipped);
  CHECK(few.points[0].reason == "it needs at least four ranks");
}

TEST_CASE("nonblocking operations are measured alone, with work beside them, and the work alone") {
  LaunchOptions options{.operations = {"ibarrier"}};
  const auto works = [&] {
    std::vector<std::string> all;
    for (const PlannedMeasurement& planned : plan_workload(options, five_ranks()).points) {
      const auto parameters = planned.point.parameters.texts();
      const auto tests = parameters.find("tests");
      all.push_back(parameters.at("work") + (tests == parameters.end() ? "" : " " + tests->second));
    }
    return all;
  };
  CHECK(works() == std::vector<std::string>{"none", "alone", "during 0"});
  options.choices.set(tests_parameter, {0, 16});
  CHECK(works() == std::vector<std::string>{"none", "alone", "during 0", "during 16"});
  options.choices.set(work_parameter, {Work::during});
  CHECK(works() == std::vector<std::string>{"during 0", "during 16"});
  CHECK(plan_workload(options, five_ranks()).points.front().point.parameters[work_parameter] ==
        Work::during);
  const Point during{.operation = "ibcast",
                     .bytes = {8},
                     .ranks = 2,
                     .parameters = {{tests_parameter, 4}, {work_parameter, Work::during}}};
  CHECK(name_without_work(during) == "ibcast ranks=2 at 8");
}

TEST_CASE("what is called in ways that do not go together is skipped with the reason") {
  LaunchOptions options{.operations = {"allreduce", "alltoallv", "gather"}, .sizes = {{8}}};
  options.choices.set(in_place_parameter, {ReceivePlace::in_place});
  options.choices.set(cadence_parameter, {Cadence::isolated, Cadence::streaming});
  options.choices.set(counts_parameter, {Distribution::zipf});
  options.choices.set(root_parameter, {parse_root("2")});
  const LaunchPlan workload = plan_workload(options, five_ranks());
  std::vector<std::string> reasons;
  for (const PlannedMeasurement& planned : workload.points) reasons.push_back(planned.reason);
  CHECK(reasons == std::vector<std::string>{
                       "", "in place, each call would start from what the one before left",
                       "in place, two ranks exchange blocks of one length",
                       "in place, each call would start from what the one before left", "", ""});
  options.communicators = {Communicator::half};
  CHECK(plan_workload(options, five_ranks()).points[4].reason == "there is no rank 2 among 2");
  options.choices.set(root_parameter, {parse_root("5")});
  CHECK_THROWS_WITH(plan_workload(options, five_ranks()), Catch::Contains("--root 5 of 5 ranks"));
}

}  // namespace
}  // namespace hockney::benchmarks::programs
