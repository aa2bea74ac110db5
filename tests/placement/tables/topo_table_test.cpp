#include <catch2/catch.hpp>
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

std::string printed(const TopoView& view) {
  std::ostringstream out;
  print_topo(out, view);
  return out.str();
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

}  // namespace
}  // namespace hockney::report
