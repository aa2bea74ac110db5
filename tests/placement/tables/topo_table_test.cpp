#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "placement/tables/topo_table.hpp"

namespace hockney::report {

using placement::Hop;
namespace {

TopoView two_cores() {
  TopoView view;
  view.topology.source = "synthetic core:2";
  view.topology.pus = {{.os_cpu = 0, .core = 0, .l2 = {}, .l3 = {}, .numa = {0}, .package = 0},
                       {.os_cpu = 4, .core = 1, .l2 = 1, .l3 = 0, .numa = {0, 2}, .package = 0}};
  view.hops = {{1, {Hop::numa, {0, 4}}}};
  view.plan.cpus = {0, 4};
  view.plan.covered = {{Hop::numa, {0, 4}}};
  return view;
}

std::string digest() { return topology_digest(two_cores().topology); }

std::string printed(const TopoView& view) {
  std::ostringstream out;
  print_topo(out, view);
  return out.str();
}

TEST_CASE("a topology is printed in fixed columns") {
  CHECK(printed(two_cores()) ==
        "source      synthetic core:2\n"
        "digest      " +
            digest() +
            "\n"
            "packages    1\n"
            "numa nodes  2\n"
            "l3 caches   1\n"
            "cores       2\n"
            "cpus        2\n"
            "\n"
            "# hop   pairs  cpu  other cpu\n"
            "  numa      1    0          4\n"
            "\n"
            "ranks       2\n"
            "on cpus     0,4\n"
            "they show   numa\n"
            "start with  hockney run CONFIG --ranks 2\n\n");
}

TEST_CASE("what is particular about a machine or a plan gets a line of its own") {
  TopoView view = two_cores();
  view.topology.cpu_model = "Example";
  view.topology.left_out = std::vector<placement::Pu>(3);
  for (int i = 0; i < 3; ++i) view.topology.left_out[static_cast<std::size_t>(i)].os_cpu = i + 1;
  view.pairs = {{Hop::numa, {0, 4}}};
  view.plan = {{0, 4, 0},
               placement::CpuUse::oversubscribed,
               {},
               {{Hop::smt, placement::Shortfall::too_few_ranks, 5},
                {Hop::l2, placement::Shortfall::absent, {}}}};
  const std::string table = printed(view);
  for (const char* line : {
           "\ncpu model    Example\n",
           "\nnot allowed  3 cpus: 1-3\n",
           "\n# hop   cpu  other cpu\n  numa    0          4\n",
           "\nthey show       no hop class\nnot shown       smt, takes 5 ranks\noversubscribed  "
           "ranks "
           "share CPUs",
       }) {
    CHECK_THAT(table, Catch::Contains(line));
  }
  CHECK_THAT(table, !Catch::Contains("l2,"));
}

TEST_CASE("a machine without pairs says why") {
  TopoView view = two_cores();
  view.hops.clear();
  CHECK_THAT(printed(view), Catch::Contains("\n# none: a pair takes two CPUs\n"));
}

TEST_CASE("the JSON document has stable keys") {
  TopoView view = two_cores();
  view.topology.left_out = std::vector<placement::Pu>(1);
  view.topology.left_out[0].os_cpu = 1;
  view.pairs = {{Hop::numa, {0, 4}}};
  view.plan.uncovered = {{Hop::smt, placement::Shortfall::too_few_ranks, 5},
                         {Hop::l2, placement::Shortfall::absent, {}}};
  auto expected = nlohmann::json::parse(R"({
    "schema": "hockney.topology/1",
    "source": "synthetic core:2",
    "this_system": false,
    "digest": "",
    "cpu_model": "",
    "counts": {"packages": 1, "numa_nodes": 2, "l3_caches": 1, "cores": 2, "pus": 2},
    "pus": [{"os_cpu": 0, "core": 0, "l2": null, "l3": null, "numa": [0], "package": 0, "kind": null},
            {"os_cpu": 4, "core": 1, "l2": 1, "l3": 0, "numa": [0, 2], "package": 0, "kind": null}],
    "left_out": [1],
    "hops": [{"hop": "numa", "pairs": 1, "representative": [0, 4]}],
    "pairs": [{"hop": "numa", "cpus": [0, 4]}],
    "plan": {"ranks": 2, "cpus": [0, 4], "oversubscribed": false,
             "covered": [{"hop": "numa", "cpus": [0, 4]}],
             "missing": [{"hop": "smt", "ranks_needed": 5}, {"hop": "l2", "ranks_needed": null}]}
  })");
  expected["digest"] = topology_digest(view.topology);
  CHECK(topo_json(view) == expected);
  CHECK_FALSE(topo_json(two_cores()).contains("pairs"));
}

}  // namespace
}  // namespace hockney::report
