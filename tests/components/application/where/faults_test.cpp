#include <catch2/catch.hpp>

#include "components/application/where/faults.hpp"
#include "tests/components/application/where/launches.hpp"

namespace hockney::where {
namespace {

std::vector<Fault> faults_of(const SyntheticLaunch& launch) { return find_faults(launch.all()); }

std::vector<FaultKind> kinds_of(const SyntheticLaunch& launch) {
  std::vector<FaultKind> kinds;
  for (const Fault& fault : faults_of(launch)) kinds.push_back(fault.kind);
  return kinds;
}

using Kinds = std::vector<FaultKind>;

}  // namespace

TEST_CASE("all threads of a rank on one core are a fault, with the cores that are idle") {
  // What mpirun --bind-to core does to 4 ranks of 8 threads on 32 cores.
  SyntheticLaunch launch;
  for (int core = 0; core < 4; ++core) launch.rank_of(8, cpus(2 * core, 2));
  const std::vector<Fault> faults = faults_of(launch);
  REQUIRE(faults.size() == 5);
  CHECK(faults[0] == Fault{FaultKind::shared_cpu, "node1", {0}, 8, {0, 1}, 1});
  CHECK(faults[3] == Fault{FaultKind::shared_cpu, "node1", {3}, 8, {6, 7}, 1});
  CHECK(faults[4] == Fault{FaultKind::idle_cores, "node1", {}, 0, cpus(8, 56), 28});
  CHECK(fault_text(faults[0]) == "8 threads of rank 0 share 1 core (CPUs 0-1) of node1");
  CHECK(fault_text(faults[4]) == "28 cores (CPUs 8-63) of node1 have nothing to do");
}

TEST_CASE("threads on cores of their own, in one part for each rank, are no fault") {
  // Four ranks of eight threads: each fills the eight cores of a NUMA node.
  SyntheticLaunch launch;
  for (int rank = 0; rank < 4; ++rank) launch.rank_on_cores(8, 8 * rank);
  CHECK(kinds_of(launch).empty());
  CHECK(tightest_domain(launch.all()) == Domain::numa);
  // Eight ranks of four: each under an L3 cache.
  SyntheticLaunch small;
  for (int rank = 0; rank < 8; ++rank) small.rank_on_cores(4, 4 * rank);
  CHECK(kinds_of(small).empty());
  CHECK(tightest_domain(small.all()) == Domain::l3);
  CHECK(smallest_part(small.all(), Domain::l3) == 4);
}

TEST_CASE("threads that may move among the cores under one cache are bound well enough") {
  CHECK(kinds_of(SyntheticLaunch().rank_of(4, cpus(0, 8))).empty());
  CHECK(kinds_of(SyntheticLaunch("l3:1 core:8 pu:1").rank_of(8, cpus(0, 8))).empty());
}

TEST_CASE(
    "two ranks on a core are a fault where they share CPUs, and as hyperthreads where cores are "
    "idle") {
  const auto same = faults_of(SyntheticLaunch().rank({{0}}).rank({{0}}));
  REQUIRE(same.size() == 2);
  CHECK(same[0] == Fault{FaultKind::shared_cpu, "node1", {0, 1}, 2, {0}, 1});
  CHECK(fault_text(same[0]) == "ranks 0-1 share 1 core (CPU 0) of node1");
  // The affinity of both is the whole core, which has two CPUs.
  const auto siblings = faults_of(SyntheticLaunch().rank({{0, 1}}).rank({{0, 1}}));
  REQUIRE(siblings.size() == 2);
  CHECK(siblings[0] == Fault{FaultKind::shared_core, "node1", {0, 1}, 2, {0, 1}, 1});
  // Where every core is at work, hyperthreads are what was wanted.
  SyntheticLaunch full("l3:1 core:2 pu:2");
  for (int cpu = 0; cpu < 4; ++cpu) full.rank({{cpu}});
  CHECK(kinds_of(full).empty());
}

TEST_CASE("ranks on the hyperthreads of a core share it though each has a CPU of its own") {
  const Kinds kinds = kinds_of(SyntheticLaunch().rank({{0}}).rank({{1}}));
  CHECK(kinds == Kinds{FaultKind::shared_core, FaultKind::idle_cores});
}

TEST_CASE("unbound ranks may go anywhere") {
  SyntheticLaunch launch;
  for (int rank = 0; rank < 4; ++rank) launch.rank_of(8, cpus(0, 64));
  const std::vector<Fault> faults = faults_of(launch);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0] == Fault{FaultKind::unbound, "node1", {0, 1, 2, 3}, 32, cpus(0, 64), 32});
  CHECK(fault_text(faults[0]) ==
        "32 threads of ranks 0-3 are not bound: anywhere on 32 cores (CPUs 0-63) of node1");
  // Under one cache a rank alone loses nothing by it, two may come to be on one core.
  CHECK(kinds_of(SyntheticLaunch("l3:1 core:4 pu:1").rank({cpus(0, 4)})).empty());
  CHECK(kinds_of(SyntheticLaunch("l3:1 core:4 pu:1").rank({cpus(0, 4)}).rank({cpus(0, 4)})) ==
        Kinds{FaultKind::unbound});
}

TEST_CASE("more threads than CPUs are a fault wherever they are, and not also called unbound") {
  SyntheticLaunch launch("l3:1 core:2 pu:1");
  for (int rank = 0; rank < 3; ++rank) launch.rank({{0, 1}});
  CHECK(kinds_of(launch) == Kinds{FaultKind::shared_cpu});
}

TEST_CASE("threads of a rank in several parts are a fault where they would fit into one") {
  const auto spread = [](const std::vector<int>& cores) {
    std::vector<std::vector<int>> affinities;
    for (const int core : cores) affinities.push_back({2 * core});
    return kinds_of(SyntheticLaunch().rank(affinities));
  };
  CHECK(spread({0, 1, 2, 3}).empty());
  CHECK(spread({0, 4}) == Kinds{FaultKind::across_l3});
  CHECK(spread({0, 8}) == Kinds{FaultKind::across_numa});
  CHECK(spread({0, 16}) == Kinds{FaultKind::across_packages});
  // Five threads do not fit under a cache of four cores, but into a NUMA node.
  CHECK(spread({0, 1, 2, 3, 4}).empty());
  CHECK(spread({0, 1, 2, 3, 8}) == Kinds{FaultKind::across_numa});
}

TEST_CASE("a rank may be in two parts where no other has room for it") {
  // Caches of three cores and ranks of two threads: the third rank needs a core of each.
  SyntheticLaunch launch("l3:2 core:3 pu:1");
  launch.rank({{0}, {1}}).rank({{3}, {4}}).rank({{2}, {5}});
  CHECK(kinds_of(launch).empty());
}

TEST_CASE(
    "other jobs that are bound to CPUs of ranks are a fault, those that may go away are none") {
  const auto kinds_beside = [](const std::vector<OtherProcess>& others,
                               const std::vector<std::vector<int>>& ranks) {
    SyntheticLaunch launch("core:4 pu:1");
    for (const std::vector<int>& cpus : ranks) launch.rank({cpus});
    RankBindings all = launch.all();
    all.nodes.front().others = others;
    Kinds kinds;
    for (const Fault& fault : find_faults(all)) kinds.push_back(fault.kind);
    return kinds;
  };
  const auto other = [](const std::vector<int>& cpus, std::size_t threads = 1) {
    return OtherProcess{7, "hello", "ann", cpus, threads};
  };
  // Two mpirun side by side: both begin at core 0.
  CHECK(kinds_beside({other({0}), other({1})}, {{0}, {1}}) ==
        Kinds{FaultKind::other_job, FaultKind::other_job});
  CHECK(kinds_beside({other({2}), other({3})}, {{0}, {1}}).empty());
  CHECK(kinds_beside({other({0, 1})}, {{0}}).empty());  // it may go to CPU 1
  CHECK(kinds_beside({other({0, 1}, 2)}, {{0}}) == Kinds{FaultKind::other_job});
  CHECK(kinds_beside({other({0})}, {{0, 1}}).empty());
  CHECK(kinds_beside({other({0}), other({1})}, {{0, 1}}) == Kinds{FaultKind::other_job});
  CHECK(kinds_beside({other(cpus(0, 4), 9)}, {{0}}).empty());
}

TEST_CASE("other processes are told with number and user, and crowds that are not bound too") {
  SyntheticLaunch launch("core:4 pu:1");
  launch.rank({{0}}).rank({{1}});
  RankBindings all = launch.all();
  NodeCpus& node = all.nodes.front();
  node.others = {{7, "hello", "ann", {0}, 1}};
  const std::vector<Fault> faults = find_faults(all);
  REQUIRE(faults.size() == 1);
  CHECK(fault_text(faults[0]) == "rank 0 shares 1 core (CPU 0) of node1 with another process");
  CHECK(process_text(faults[0].others) == "'hello' (pid 7, user ann)");
  CHECK(process_text({{1, "a", "", {0}, 1}, {2, "b", "u", {0}, 1}, {3, "c", "u", {0}, 1}}) ==
        "'a' (pid 1), 'b' (pid 2, user u) and 1 more");
  node.others = {{8, "make", "bob", cpus(0, 4), 2}};
  CHECK(crowding_processes(all, node).empty());  // four CPUs for two ranks and two threads
  node.others.front().threads = 3;
  CHECK(crowding_processes(all, node) == node.others);
}

TEST_CASE("cores of one kind are a part of the node") {
  // CPUs 0-3: two performance cores; 4-7: four others under the same L3.
  SyntheticLaunch launch = SyntheticLaunch::of_xml("core-kinds");
  CHECK(kinds_of(SyntheticLaunch(launch).rank({{0}, {2}})).empty());
  CHECK(kinds_of(SyntheticLaunch(launch).rank({{4}, {5}})).empty());
  const auto mixed = faults_of(SyntheticLaunch(launch).rank({{2}, {4}}));
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].kind == FaultKind::across_kinds);
  CHECK(fault_text(mixed[0]) ==
        "2 threads of rank 0 are on cores of different kinds (CPUs 2,4) of node1 and would fit on "
        "one kind");
  // Five threads fit on no kind; one that may go to both is not bound.
  CHECK(kinds_of(SyntheticLaunch(launch).rank({{0}, {2}, {4}, {5}, {6}})).empty());
  CHECK(kinds_of(SyntheticLaunch(launch).rank({{0, 4}})) == Kinds{FaultKind::unbound});
}

TEST_CASE("memory that is not local to its thread is a fault") {
  SyntheticLaunch launch;
  launch.rank({{0}, {2}}).memory(0, 0, 0).memory(0, 1, 3);
  const std::vector<Fault> faults = faults_of(launch);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0] == Fault{FaultKind::far_memory, "node1", {0}, 1, {3}, 0});
  CHECK(fault_text(faults[0]) == "memory of rank 0 is on NUMA node 3 of node1, which is not local");
}

TEST_CASE("nodes are judged one by one, and empty ones are named") {
  SyntheticLaunch launch;
  launch.rank_on_cores(4, 0, "node1").rank_on_cores(4, 0, "node2").empty("node3");
  const std::vector<Fault> faults = faults_of(launch);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0] == Fault{.kind = FaultKind::empty_node, .host = "node3"});
  CHECK(fault_text(faults[0]) == "node node3 has no rank");
}

TEST_CASE("more threads than a control group has the time of CPUs for are a fault") {
  SyntheticLaunch launch("core:4 pu:1");
  launch.rank({{0}, {1}}).limited(1.5, 7).limited(3, 1).rank({{2}}).limited(3, 1);
  const std::vector<Fault> faults = find_faults(launch.all());
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().kind == FaultKind::cpu_limit);
  CHECK(fault_text(faults.front()) ==
        "2 threads of rank 0 share the time of 1.5 CPUs of node1 (/g/cpu.max)");
  // Three threads have three CPUs, and what is confined to fewer CPUs is a fault for that.
  SyntheticLaunch enough("core:4 pu:1");
  enough.rank({{0}, {1}, {2}}).limited(3);
  CHECK(find_faults(enough.all()).empty());
  SyntheticLaunch crowded("core:4 pu:1");
  crowded.rank_of(3, {0, 1}).limited(2);
  CHECK(std::ranges::count(find_faults(crowded.all()), FaultKind::cpu_limit, &Fault::kind) == 0);
}

}  // namespace hockney::where
