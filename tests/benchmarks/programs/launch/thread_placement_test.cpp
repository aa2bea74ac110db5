#include "benchmarks/programs/launch/thread_placement.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "benchmarks/harness/threads.hpp"

namespace hockney::benchmarks::programs {
namespace {

using Cpus = std::vector<std::vector<int>>;

/// Ranks that are bound to these CPUs of one node, which has eight.
JobPlacement bound_to(const std::vector<int>& cpus) {
  JobPlacement job{.sites = number_sites(std::vector<std::string>(cpus.size(), "a")),
                   .node_cpus = {{0, 2, 4, 6, 1, 3, 5, 7}}};
  for (std::size_t rank = 0; rank < cpus.size(); ++rank) {
    job.places.push_back({.rank = static_cast<int>(rank), .actual_cpus = {cpus[rank]}});
  }
  return job;
}

TEST_CASE("threads get CPUs of ranks that are not at work, then those of nobody") {
  const ThreadPlaces alone = place_threads(bound_to({0, 2}), {0, 1}, 3);
  CHECK(alone.cpus == Cpus{{0, 4, 6}, {2, 1, 3}});
  CHECK_FALSE(alone.are_shared);
  const ThreadPlaces borrowed = place_threads(bound_to({0, 7, 2, 5}), {0, 2}, 2);
  CHECK(borrowed.cpus == Cpus{{0, 7}, {2, 5}});
  CHECK_FALSE(borrowed.are_shared);
  CHECK(place_threads(bound_to({0, 2}), {0, 1}, 1).cpus == Cpus{{0}, {2}});
}

TEST_CASE("threads share the CPUs of their rank where there are not enough, as many in each") {
  const ThreadPlaces crowded = place_threads(bound_to({0, 2}), {0, 1}, 6);
  CHECK(crowded.cpus == Cpus{{0, 4, 6, 1, 0, 4}, {2, 3, 5, 7, 2, 3}});
  CHECK(crowded.are_shared);
  CHECK(place_threads(bound_to({0, 0}), {0, 1}, 1).are_shared);
}

TEST_CASE("threads in the place of ranks run where these would, on no other CPU") {
  const JobPlacement job = bound_to({0, 7, 2, 5});
  const ThreadPlaces places = place_threads_as_ranks(job, {0, 2}, 2);
  CHECK(places.cpus == Cpus{{0, 7}, {2, 5}});
  CHECK_FALSE(places.are_shared);
  CHECK(spread_ranks(job, 2).front().ranks == std::vector<int>{0, 2});
  CHECK(spread_ranks(job, 1).front().ranks == std::vector<int>{0, 1, 2, 3});
  CHECK(place_threads_as_ranks(bound_to({0, 7, 0, 7}), {0, 2}, 2).are_shared);
}

TEST_CASE("threads of ranks that are not bound are not bound either") {
  JobPlacement job = bound_to({0, 2});
  job.places[1].actual_cpus = {1, 2, 3};
  CHECK(place_threads(job, {0, 1}, 2).cpus.empty());
  CHECK(place_threads_as_ranks(job, {0}, 2).cpus.empty());
  CHECK_FALSE(place_threads(job, {0, 1}, 4).are_shared);
  CHECK(place_threads(job, {0, 1}, 5).are_shared);
}

TEST_CASE("more than 32 threads for each CPU are refused") {
  const JobPlacement job = bound_to({0, 2});
  const auto plan_of = [](int threads) {
    LaunchPlan plan{.rounds = {{{.ranks = {0, 1}}}}};
    PlannedMeasurement& planned = plan.points.emplace_back();
    planned.point.parameters = {{threads_parameter, threads}};
    return plan;
  };
  CHECK_NOTHROW(check_threads(plan_of(128), job));  // two ranks on eight CPUs
  CHECK_THROWS_WITH(check_threads(plan_of(129), job),
                    "--threads 129 of 2 ranks on a node of 8 CPUs (each would wait for its CPU "
                    "most of the time) use at most 128");
  LaunchPlan skipped = plan_of(2000);
  skipped.points.front().status = PointStatus::skipped;
  CHECK_NOTHROW(check_threads(skipped, job));
}

TEST_CASE("a CPU of one number on two nodes is not shared") {
  JobPlacement job = bound_to({0, 0});
  job.sites = number_sites({"a", "b"});
  job.node_cpus = {{0, 1}, {0, 1}};
  const ThreadPlaces places = place_threads(job, {0, 1}, 2);
  CHECK(places.cpus == Cpus{{0, 1}, {0, 1}});
  CHECK_FALSE(places.are_shared);
}

TEST_CASE("ranks that threads cannot stand for are told") {
  const JobPlacement job = bound_to({0, 1, 2, 3, 4, 5});
  CHECK_FALSE(spread_obstacle(job, GroupShape::pairs, 1));
  CHECK_FALSE(spread_obstacle(job, GroupShape::pairs, 3));
  CHECK_FALSE(spread_obstacle(job, GroupShape::everybody, 2));
  CHECK(spread_obstacle(job, GroupShape::pairs, 2) == "6 ranks are no pairs of ranks of 2 threads");
  CHECK(spread_obstacle(job, GroupShape::everybody, 4) ==
        "6 ranks are no two or more ranks of 4 threads");
  CHECK(spread_obstacle(job, GroupShape::everybody, 6) ==
        "6 ranks are no two or more ranks of 6 threads");
  JobPlacement nodes = job;
  nodes.sites = number_sites({"a", "a", "a", "b", "b", "b"});
  CHECK(spread_obstacle(nodes, GroupShape::everybody, 2) ==
        "the threads of a rank would be on two nodes");
  CHECK_FALSE(spread_obstacle(nodes, GroupShape::pairs, 3));
}

}  // namespace
}  // namespace hockney::benchmarks::programs
