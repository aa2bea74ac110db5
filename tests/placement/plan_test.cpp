#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <set>

#include "core/error.hpp"
#include "placement/plan.hpp"
#include "placement/rank_pairs.hpp"
#include "tests/placement/machines.hpp"

namespace hockney::placement {
namespace {

const std::vector<Hop> all_hops(node_hops.begin(), node_hops.end());

std::set<Hop> shown(const Topology& topology, const std::vector<int>& cpus) {
  std::set<Hop> hops;
  for (const int a : cpus) {
    for (const int b : cpus) {
      if (const auto hop = hop_class(topology, a, b)) hops.insert(*hop);
    }
  }
  return hops;
}

/// The most classes that any `size` CPUs show, by trying them all.
std::size_t most_classes(const Topology& topology, int size) {
  std::size_t most = 0;
  for (unsigned chosen = 0; chosen < 1U << topology.pus.size(); ++chosen) {
    if (std::popcount(chosen) != size) continue;
    std::vector<int> cpus;
    for (std::size_t i = 0; i < topology.pus.size(); ++i) {
      if ((chosen >> i & 1U) != 0) cpus.push_back(topology.pus[i].os_cpu);
    }
    most = std::max(most, shown(topology, cpus).size());
  }
  return most;
}

TEST_CASE("one CPU more than there are classes shows them all") {
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2");
  CHECK(cover_hops(topology, all_hops, 64) == std::vector<int>{2, 4, 8, 16, 32, 3});
  CHECK(cover_hops(fixture("xeon-interleaved"), all_hops, 16) == std::vector<int>{2, 4, 1, 10});
  CHECK(cover_hops(fixture("hybrid"), all_hops, 10).size() == 5);
}

TEST_CASE("with few CPUs the near classes come first and smt last") {
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2");
  CHECK(cover_hops(topology, all_hops, 0).empty());
  CHECK(cover_hops(topology, all_hops, 1).empty());
  CHECK(cover_hops(topology, all_hops, 2) == std::vector<int>{2, 4});
  CHECK(cover_hops(topology, all_hops, 5) == std::vector<int>{2, 4, 8, 16, 32});
}

TEST_CASE("only wanted classes get CPUs") {
  const Topology topology = machine("pack:2 numa:2 l3:2 l2:4 core:1 pu:2");
  CHECK(cover_hops(topology, {Hop::cross_package, Hop::smt}, 64) == std::vector<int>{2, 32, 3});
  CHECK(cover_hops(topology, {Hop::smt, Hop::smt}, 64) == std::vector<int>{2, 3});
  CHECK(cover_hops(topology, {}, 64).empty());
  CHECK(cover_hops(topology, {Hop::l2, Hop::cross_node}, 64).empty());
}

TEST_CASE("no other choice of CPUs shows more classes") {
  for (const Topology& topology : small_machines()) {
    INFO(topology.source);
    for (int size = 2; size <= std::min<int>(6, static_cast<int>(topology.pus.size())); ++size) {
      INFO(size << " CPUs");
      const auto cpus = cover_hops(topology, all_hops, static_cast<std::size_t>(size));
      CHECK(cpus.size() <= static_cast<std::size_t>(size));
      CHECK(shown(topology, cpus).size() == most_classes(topology, size));
    }
  }
}

TEST_CASE("siblings stay idle unless smt is wanted") {
  for (const Topology& topology : small_machines()) {
    std::set<int> cores;
    for (const int cpu : cover_hops(
             topology, {Hop::l2, Hop::l3, Hop::numa, Hop::package, Hop::cross_package}, 99)) {
      CHECK(cores.insert(find_pu(topology, cpu)->core).second);
    }
  }
}

const char* const two_packages = "pack:2 numa:2 l3:2 l2:4 core:1 pu:2";

PlanOptions policy(Policy chosen) {
  PlanOptions options;
  options.policy = chosen;
  return options;
}

PlanOptions listed(std::vector<int> cpus) {
  PlanOptions options = policy(Policy::listed);
  options.cpus = std::move(cpus);
  return options;
}

bool covers(const Plan& plan, Hop hop) {
  return std::ranges::find(plan.covered, hop, &HopPair::hop) != plan.covered.end();
}

TEST_CASE("enough ranks show every class, one pair each") {
  const Topology topology = machine(two_packages);
  REQUIRE(ranks_to_cover_all(topology) == 6);
  const Plan plan = make_plan(topology, 6);
  CHECK(plan.cpus == std::vector<int>{2, 4, 8, 16, 32, 3});
  CHECK(plan.use == CpuUse::exclusive);
  CHECK(plan.covered == std::vector<HopPair>{{Hop::smt, {2, 3}},
                                             {Hop::l3, {2, 4}},
                                             {Hop::numa, {2, 8}},
                                             {Hop::package, {2, 16}},
                                             {Hop::cross_package, {2, 32}}});
  CHECK(plan.uncovered == std::vector<UncoveredHop>{{Hop::l2, Shortfall::absent, {}}});
}

TEST_CASE("too few ranks say which classes are missing and how many ranks would do") {
  const Plan plan = make_plan(machine(two_packages), 4);
  CHECK(plan.cpus == std::vector<int>{2, 4, 8, 16});
  CHECK(plan.uncovered ==
        std::vector<UncoveredHop>{{Hop::smt, Shortfall::too_few_ranks, 6},
                                  {Hop::l2, Shortfall::absent, {}},
                                  {Hop::cross_package, Shortfall::too_few_ranks, 5}});
}

TEST_CASE("the number of ranks a plan asks for is enough, and no smaller one is") {
  for (const Topology& topology : small_machines()) {
    INFO(topology.source);
    for (const Policy chosen : {Policy::hops, Policy::compact, Policy::scatter}) {
      const PlanOptions options = policy(chosen);
      for (int ranks = 1; ranks <= static_cast<int>(topology.pus.size()); ++ranks) {
        for (const UncoveredHop& missing : make_plan(topology, ranks, options).uncovered) {
          if (missing.reason == Shortfall::absent) {
            CHECK(spread_pairs(topology, missing.hop, 1).empty());
            continue;
          }
          REQUIRE(missing.ranks_needed);
          CHECK(*missing.ranks_needed > ranks);
          CHECK(covers(make_plan(topology, *missing.ranks_needed, options), missing.hop));
          CHECK_FALSE(covers(make_plan(topology, *missing.ranks_needed - 1, options), missing.hop));
        }
      }
    }
  }
}

TEST_CASE("ranks_to_cover_all is enough, and no smaller number is") {
  for (const Topology& topology : small_machines()) {
    INFO(topology.source);
    const int ranks = ranks_to_cover_all(topology);
    const std::size_t classes = count_pairs(topology).size();
    CHECK(make_plan(topology, ranks).covered.size() == classes);
    if (ranks > 1) CHECK(make_plan(topology, ranks - 1).covered.size() < classes);
  }
  CHECK(ranks_to_cover_all(fixture("single-pu")) == 1);
}

TEST_CASE("further ranks get further cores") {
  const Plan plan = make_plan(machine("pack:2 core:2 pu:2"), 7);
  CHECK(plan.cpus == std::vector<int>{4, 6, 2, 5, 0, 1, 3});
  CHECK(plan.use == CpuUse::exclusive);
}

TEST_CASE("more ranks than CPUs is a plan that says so") {
  const Plan plan = make_plan(machine("pack:1 core:2 pu:1"), 5);
  CHECK(plan.cpus == std::vector<int>{0, 1, 0, 1, 0});
  CHECK(plan.use == CpuUse::oversubscribed);
  CHECK(plan.covered == std::vector<HopPair>{{Hop::numa, {0, 1}}});
}

TEST_CASE("a lone CPU has nothing to show") {
  const Plan plan = make_plan(fixture("single-pu"), 1);
  CHECK(plan.cpus == std::vector<int>{0});
  CHECK(plan.covered.empty());
  CHECK(plan.uncovered.size() == 6);
  CHECK(make_plan(fixture("single-pu"), 2).use == CpuUse::oversubscribed);
}

TEST_CASE("compact and scatter place ranks in their order") {
  const Topology topology = machine("pack:2 core:2 pu:2");
  CHECK(make_plan(topology, 3, policy(Policy::compact)).cpus == std::vector<int>{0, 2, 4});
  const Plan plan = make_plan(topology, 2, policy(Policy::scatter));
  CHECK(plan.cpus == std::vector<int>{0, 4});
  CHECK(plan.covered == std::vector<HopPair>{{Hop::cross_package, {0, 4}}});
}

TEST_CASE("a list is taken as it stands") {
  const Topology topology = machine("pack:2 core:2 pu:2");
  const Plan plan = make_plan(topology, 3, listed({7, 0, 7, 5}));
  CHECK(plan.cpus == std::vector<int>{7, 0, 7});
  CHECK(plan.use == CpuUse::oversubscribed);
  CHECK(plan.covered == std::vector<HopPair>{{Hop::cross_package, {0, 7}}});
  const std::vector<UncoveredHop> expected{{Hop::smt, Shortfall::not_listed, {}},
                                           {Hop::l2, Shortfall::absent, {}},
                                           {Hop::l3, Shortfall::absent, {}},
                                           {Hop::numa, Shortfall::too_few_ranks, 4},
                                           {Hop::package, Shortfall::absent, {}}};
  CHECK(plan.uncovered == expected);
}

TEST_CASE("only wanted classes are planned and reported") {
  PlanOptions options;
  options.hops = {Hop::cross_package, Hop::l2, Hop::cross_package};
  const Plan plan = make_plan(machine(two_packages), 2, options);
  CHECK(plan.cpus == std::vector<int>{2, 32});
  CHECK(plan.covered == std::vector<HopPair>{{Hop::cross_package, {2, 32}}});
  CHECK(plan.uncovered == std::vector<UncoveredHop>{{Hop::l2, Shortfall::absent, {}}});
}

TEST_CASE("CPUs that may not be used are not planned with") {
  CHECK(make_plan(fixture("cgroup"), 4).cpus == std::vector<int>{3, 4, 2, 5});
  CHECK_THROWS_WITH(make_plan(fixture("cgroup"), 1, listed({0})),
                    "CPU 0 may not be used (this process is allowed CPUs 2-5) name one of them");
}

TEST_CASE("plans that make no sense are refused") {
  const Topology topology = machine("pu:4");
  for (const int ranks : {0, -1, max_local_ranks + 1}) {
    CHECK_THROWS_AS(make_plan(topology, ranks), InputError);
  }
  CHECK_THROWS_AS(make_plan(topology, 1, listed({4})), InputError);
  CHECK_THROWS_WITH(make_plan(topology, 3, listed({0, 1})),
                    Catch::StartsWith("2 CPUs are listed for 3 ranks"));
  CHECK_THROWS_AS(make_plan(topology, 1, listed({})), InputError);
}

TEST_CASE("policies have names") {
  for (const char* name : {"hops", "compact", "scatter"}) {
    CHECK(word(parse_policy(name)) == name);
  }
  CHECK_THROWS_WITH(parse_policy("scater"), Catch::Contains("did you mean 'scatter'?"));
}

}  // namespace
}  // namespace hockney::placement
