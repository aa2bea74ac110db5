#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"
#include "placement/pairs.hpp"
#include "placement/plan.hpp"
#include "placement/read_topology.hpp"
#include "report/topo_table.hpp"

namespace hockney {
namespace {

struct TopoOptions {
  std::optional<std::string> xml;
  std::optional<std::string> synthetic;
  std::optional<int> ranks;
  std::string pairs = "representative";
  bool json = false;
};

Topology read_topology(const TopoOptions& options) {
  if (options.xml) return read_xml_topology(*options.xml);
  if (options.synthetic) return read_synthetic_topology(*options.synthetic);
  return read_live_topology();
}

void check_pairs_word(const std::string& word) {
  const std::vector<std::string> valid{"representative", "all"};
  if (std::ranges::find(valid, word) != valid.end()) return;
  throw InputError({"unknown value '" + word + "' of --pairs", "it says which pairs to list",
                    suggest(word, valid)});
}

TopoPair to_view(const HopPair& pair) {
  return {hop_name(pair.hop), pair.cpus.first, pair.cpus.second};
}

std::vector<TopoPair> to_view(const std::vector<HopPair>& pairs) {
  std::vector<TopoPair> view;
  view.reserve(pairs.size());
  for (const HopPair& pair : pairs) view.push_back(to_view(pair));
  return view;
}

/// Every class of the machine with the pair that the fewest ranks would measure it by.
std::vector<TopoHop> hops_of(const Topology& topology, const PlacementPlan& covering) {
  std::vector<TopoHop> hops;
  for (const HopCount& count : count_pairs(topology)) {
    const auto pair = std::ranges::find(covering.covered, count.hop, &HopPair::hop);
    hops.push_back({count.pairs, to_view(*pair)});
  }
  return hops;
}

TopoPlan to_view(const PlacementPlan& plan) {
  TopoPlan view{plan.cpus, plan.use == CpuUse::oversubscribed, to_view(plan.covered), {}};
  for (const UncoveredHop& hop : plan.uncovered) {
    view.missing.push_back({hop_name(hop.hop), hop.ranks_needed});
  }
  return view;
}

TopoView to_view(const Topology& topology, const TopoOptions& options) {
  const TopologyCounts counts = count_groups(topology);
  TopoView view;
  view.source = topology.source;
  view.this_system = topology.is_this_system;
  view.digest = topology_digest(topology);
  view.cpu_model = topology.cpu_model;
  view.packages = counts.packages;
  view.numa_nodes = counts.numa_nodes;
  view.l3_caches = counts.l3_caches;
  view.cores = counts.cores;
  for (const Pu& pu : topology.pus) {
    view.pus.push_back({pu.os_cpu, pu.core, pu.l2, pu.l3, pu.numa, pu.package});
  }
  for (const Pu& pu : topology.left_out) view.left_out.push_back(pu.os_cpu);
  view.left_out_ranges = format_cpus(view.left_out);
  const PlacementPlan covering = make_plan(topology, ranks_to_cover_all(topology));
  view.hops = hops_of(topology, covering);
  if (options.pairs == "all") view.pairs = to_view(all_pairs(topology));
  view.plan = to_view(options.ranks ? make_plan(topology, *options.ranks) : covering);
  return view;
}

ExitCode run_topo(const TopoOptions& options) {
  check_pairs_word(options.pairs);
  const TopoView view = to_view(read_topology(options), options);
  std::cout << (options.json ? json_text(topo_json(view), 2) + "\n" : topo_table(view));
  return ExitCode::good;
}

void add_options(CLI::App& app, TopoOptions& options) {
  CLI::Option* xml = app.add_option("--xml", options.xml, "Machine in a file lstopo wrote")
                         ->type_name("FILE")
                         ->default_str("none: this machine");
  app.add_option("--synthetic", options.synthetic, "Machine as a hwloc text: 'pack:2 core:4'")
      ->type_name("TEXT")
      ->default_str("none: this machine")
      ->excludes(xml);
  app.add_option("--ranks", options.ranks, "Ranks to place on the node")
      ->type_name("N")
      ->default_str("the fewest that show every hop class");
  app.add_option("--pairs", options.pairs, "Pairs to list: representative or all")
      ->type_name("WHICH")
      ->capture_default_str();
  app.add_flag("--json", options.json, "Print the document hockney.topology/1");
}

}  // namespace

void add_topo(CLI::App& driver, Action& chosen) {
  add_command<TopoOptions>(driver, chosen, "topo",
                           "Hop classes and representative pairs of this or a described machine",
                           add_options, run_topo);
}

}  // namespace hockney
