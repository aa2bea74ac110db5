#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "apps/network.hpp"
#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "placement/binding.hpp"
#include "placement/hop.hpp"
#include "placement/plan.hpp"
#include "placement/read_topology.hpp"
#include "report/topo_table.hpp"

namespace hockney::apps {
namespace {

struct TopoOptions {
  NetworkOptions network;
  std::optional<std::string> xml;
  std::optional<std::string> synthetic;
  std::optional<int> ranks;
  std::string pairs = "representative";
  bool json = false;
};

placement::Topology read_topology(const TopoOptions& options) {
  if (options.xml) return placement::read_xml_topology(*options.xml);
  if (options.synthetic) return placement::read_synthetic_topology(*options.synthetic);
  return placement::read_live_topology();
}

void check_pairs_word(const std::string& word) {
  const std::vector<std::string> valid{"representative", "all"};
  if (std::ranges::find(valid, word) != valid.end()) return;
  throw InputError({"unknown value '" + word + "' of --pairs", "it says which pairs to list",
                    suggest(word, valid)});
}

/// Every class of the machine with the pair that the fewest ranks would measure it by.
std::vector<report::TopoHop> hops_of(const placement::Topology& topology,
                                     const placement::Plan& covering) {
  std::vector<report::TopoHop> hops;
  for (const placement::HopCount& count : count_pairs(topology)) {
    hops.push_back(
        {count.pairs, *std::ranges::find(covering.covered, count.hop, &placement::HopPair::hop)});
  }
  return hops;
}

report::TopoView view_of(placement::Topology topology, const TopoOptions& options) {
  const placement::Plan covering = make_plan(topology, ranks_to_cover_all(topology));
  report::TopoView view;
  view.hops = hops_of(topology, covering);
  if (options.pairs == "all") view.pairs = all_pairs(topology);
  view.plan = options.ranks ? make_plan(topology, *options.ranks) : covering;
  view.topology = std::move(topology);
  return view;
}

ExitCode run_topo(const TopoOptions& options) {
  if (options.network.is_asked) return show_network(options.network, options.json);
  check_pairs_word(options.pairs);
  const report::TopoView view = view_of(read_topology(options), options);
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
      ->type_name(type_of_choice({"representative", "all"}))
      ->capture_default_str();
  app.add_flag("--json", options.json,
               "Print the document hockney.topology/1; with --network hockney.network/1");
  add_under(app, "Between nodes", [&] { add_network_options(app, options.network); });
}

}  // namespace

void add_topo(CLI::App& driver, Action& chosen) {
  add_command<TopoOptions>(
      driver, chosen, "topo",
      "Hop classes and representative pairs of this or a described machine, or of a network",
      add_options, run_topo,
      {.examples = {{"hockney topo", "hop classes of this machine"},
                    {"hockney topo --synthetic 'pack:2 core:4 pu:2' --pairs all",
                     "of a machine that is described"},
                    {"hockney topo --network topology.conf", "hop classes between nodes"}}});
}

}  // namespace hockney::apps
