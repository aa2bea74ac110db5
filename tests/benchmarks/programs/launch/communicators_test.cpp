#include "benchmarks/programs/launch/communicators.hpp"

#include <catch2/catch.hpp>

#include "benchmarks/programs/launch/parameters.hpp"
#include "core/error.hpp"

namespace hockney::benchmarks::programs {

using placement::Hop;
namespace {

/// Five ranks: 0 and 1 share a core, 2 is on the same L3; 3 and 4 share an L3 of another node.
JobPlacement five_ranks() {
  JobPlacement job{.sites = number_sites({"a", "a", "a", "b", "b"})};
  for (int low = 0; low < 5; ++low) {
    for (int high = low + 1; high < 5; ++high) {
      const bool apart = (low < 3) != (high < 3);
      const Hop near = low == 0 && high == 1 ? Hop::smt : Hop::l3;
      job.hops.push_back({{low, high}, apart ? Hop::cross_node : near});
    }
  }
  return job;
}

using Ranks = std::vector<int>;

TEST_CASE("communicators are of the ranks that they are said to be of") {
  const JobPlacement job = five_ranks();
  const auto world = split_ranks(Communicator::world, job);
  REQUIRE(world.size() == 1);
  CHECK(world[0][0].ranks == Ranks{0, 1, 2, 3, 4});
  CHECK_FALSE(world[0][0].parameters.contains("team"));
  const auto node = split_ranks(Communicator::node, job);
  REQUIRE(node.size() == 1);
  REQUIRE(node[0].size() == 2);
  CHECK(node[0][0].ranks == Ranks{0, 1, 2});
  CHECK_FALSE(node[0][0].hop);
  CHECK(node[0][1].ranks == Ranks{3, 4});
  CHECK(node[0][1].hop == Hop::l3);
  CHECK(node[0][1].parameters ==
        std::map<std::string, std::string>{{"communicator", "node"}, {"team", "1"}});
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
  CHECK(hops[0][0].hop == Hop::smt);
  REQUIRE(hops[1].size() == 2);
  CHECK(hops[1][0].ranks == Ranks{0, 1, 2});
  CHECK(hops[1][0].hop == Hop::l3);
  CHECK(hops[1][1].ranks == Ranks{3, 4});
  REQUIRE(hops[2].size() == 1);
  CHECK(hops[2][0].ranks == Ranks{0, 1, 2, 3, 4});
  CHECK(hops[2][0].hop == Hop::cross_node);
}

TEST_CASE("a communicator of fewer than two ranks is none") {
  const JobPlacement two{.sites = number_sites({"a", "a"}), .hops = {{{0, 1}, std::nullopt}}};
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
  CHECK(workload.points[2].point.parameters.at("communicator") == "several");
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
    for (const PlannedPoint& planned : plan_workload(options, five_ranks()).points) {
      const Parameters& parameters = planned.point.parameters;
      const auto tests = parameters.find("tests");
      all.push_back(parameters.at("work") + (tests == parameters.end() ? "" : " " + tests->second));
    }
    return all;
  };
  CHECK(works() == std::vector<std::string>{"none", "alone", "during 0"});
  options.tests = {0, 16};
  CHECK(works() == std::vector<std::string>{"none", "alone", "during 0", "during 16"});
  options.works = {Work::during};
  CHECK(works() == std::vector<std::string>{"during 0", "during 16"});
  CHECK(plan_workload(options, five_ranks()).points.front().treatment.work == Work::during);
  const Point during{.operation = "ibcast",
                     .bytes = {8},
                     .ranks = 2,
                     .parameters = {{"tests", "4"}, {"work", "during"}}};
  CHECK(name_without_work(during) == "ibcast ranks=2 at 8");
}

TEST_CASE("what is called in ways that do not go together is skipped with the reason") {
  LaunchOptions options{.operations = {"allreduce", "alltoallv", "gather"}, .sizes = {{8}}};
  options.in_place = {ReceivePlace::in_place};
  options.cadences = {Cadence::isolated, Cadence::streaming};
  options.counts = {"zipf"};
  options.roots = {"2"};
  const LaunchPlan workload = plan_workload(options, five_ranks());
  std::vector<std::string> reasons;
  for (const PlannedPoint& planned : workload.points) reasons.push_back(planned.reason);
  CHECK(reasons == std::vector<std::string>{
                       "", "in place, each call would start from what the one before left",
                       "in place, two ranks exchange blocks of one length",
                       "in place, each call would start from what the one before left", "", ""});
  options.communicators = {Communicator::half};
  CHECK(plan_workload(options, five_ranks()).points[4].reason == "there is no rank 2 among 2");
  options.roots = {"5"};
  CHECK_THROWS_WITH(plan_workload(options, five_ranks()), Catch::Contains("--root 5 of 5 ranks"));
}

}  // namespace
}  // namespace hockney::benchmarks::programs
