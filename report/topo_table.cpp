#include "report/topo_table.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"
#include "placement/topology_fields.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr int label_width = 16;

std::vector<int> cpus_of(const std::vector<placement::Pu>& pus) {
  std::vector<int> cpus;
  for (const placement::Pu& pu : pus) cpus.push_back(pu.os_cpu);
  return cpus;
}

/// Labels and their values.
Table fact_table() { return Table({{"", label_width, Align::left}, {"", 0, Align::left}}); }

Table facts_of(const placement::Topology& topology) {
  const placement::TopologyCounts counts = count_groups(topology);
  const std::vector<int> left_out = cpus_of(topology.left_out);
  Table facts = fact_table();
  facts.row({"source", inert(topology.source)});
  if (!topology.cpu_model.empty()) facts.row({"cpu model", inert(topology.cpu_model)});
  facts.row({"digest", topology_digest(topology)});
  facts.row({"packages", std::to_string(counts.packages)});
  facts.row({"numa nodes", std::to_string(counts.numa_nodes)});
  facts.row({"l3 caches", std::to_string(counts.l3_caches)});
  facts.row({"cores", std::to_string(counts.cores)});
  facts.row({"cpus", std::to_string(topology.pus.size())});
  if (!left_out.empty()) {
    facts.row({"not allowed",
               std::to_string(left_out.size()) + " cpus: " + placement::format_cpus(left_out)});
  }
  return facts;
}

Table plan_of(const placement::Plan& plan) {
  const auto hops =
      strings_of(plan.covered, [](const placement::HopPair& pair) { return hop_name(pair.hop); });
  Table facts = fact_table();
  facts.row({"ranks", std::to_string(plan.cpus.size())});
  facts.row({"on cpus", join_numbers(plan.cpus, ",")});
  facts.row({"they show", hops.empty() ? "no hop class" : join(hops)});
  for (const placement::UncoveredHop& missing : plan.uncovered) {
    if (!missing.ranks_needed) continue;
    facts.row({"not shown", hop_name(missing.hop) + ", takes " +
                                std::to_string(*missing.ranks_needed) + " ranks"});
  }
  if (plan.use == placement::CpuUse::oversubscribed) {
    facts.row({"oversubscribed", "ranks share CPUs; times will not be those of the machine"});
  }
  facts.row({"start with", "hockney run CONFIG --ranks " + std::to_string(plan.cpus.size())});
  return facts;
}

nlohmann::json pair_json(const placement::HopPair& pair) {
  return {{"hop", hop_name(pair.hop)}, {"cpus", {pair.cpus.first, pair.cpus.second}}};
}

nlohmann::json hop_json(const TopoHop& hop) {
  const placement::HopPair& pair = hop.representative;
  return {{"hop", hop_name(pair.hop)},
          {"pairs", hop.pairs},
          {"representative", {pair.cpus.first, pair.cpus.second}}};
}

nlohmann::json missing_json(const placement::UncoveredHop& missing) {
  return {{"hop", hop_name(missing.hop)}, {"ranks_needed", missing.ranks_needed}};
}

}  // namespace

View view_of(const std::vector<placement::HopPair>& pairs) {
  using Pair = placement::HopPair;
  return make_view<Pair>(
      {{{"hop", "hop"}, [](const Pair& pair) { return hop_name(pair.hop); }},
       {{"cpu", "cpu", Unit::count}, [](const Pair& pair) { return pair.cpus.first; }},
       {{"other_cpu", "other cpu", Unit::count},
        [](const Pair& pair) { return pair.cpus.second; }}},
      pairs);
}

View view_of(const std::vector<TopoHop>& hops) {
  View view = make_view<TopoHop>(
      {{{"hop", "hop"}, [](const TopoHop& hop) { return hop_name(hop.representative.hop); }},
       {{"pairs", "pairs", Unit::count}, [](const TopoHop& hop) { return hop.pairs; }},
       {{"cpu", "cpu", Unit::count},
        [](const TopoHop& hop) { return hop.representative.cpus.first; }},
       {{"other_cpu", "other cpu", Unit::count},
        [](const TopoHop& hop) { return hop.representative.cpus.second; }}},
      hops);
  if (hops.empty()) view.add_text("none: a pair takes two CPUs");
  return view;
}

std::string topo_verdict(const TopoView& view) {
  const placement::Topology& topology = view.topology;
  std::string text = count_text(topology.pus.size(), "CPU");
  if (!topology.cpu_model.empty()) text += " of " + inert(topology.cpu_model);
  const auto hops = strings_of(view.hops, [](const TopoHop& hop) {
    return hop_name(hop.representative.hop) + " (" + count_text(hop.pairs, "pair") + ")";
  });
  return text + ": " + (hops.empty() ? "no pair" : join(hops));
}

void print_topo(std::ostream& out, const TopoView& view) {
  out << facts_of(view.topology) << '\n';
  print_view(out, "", view_of(view.hops));
  if (!view.pairs.empty()) print_view(out, "", view_of(view.pairs));
  out << plan_of(view.plan);
}

nlohmann::json topo_json(const TopoView& view) {
  const placement::Topology& topology = view.topology;
  const placement::TopologyCounts counts = count_groups(topology);
  nlohmann::json document{
      {"schema", "hockney.topology/1"},
      {"source", topology.source},
      {"this_system", topology.is_this_system},
      {"digest", topology_digest(topology)},
      {"cpu_model", topology.cpu_model},
      {"counts",
       {{"packages", counts.packages},
        {"numa_nodes", counts.numa_nodes},
        {"l3_caches", counts.l3_caches},
        {"cores", counts.cores},
        {"pus", topology.pus.size()}}},
      {"pus", topology.pus},
      {"left_out", cpus_of(topology.left_out)},
      {"hops", array_json(view.hops, hop_json)},
      {"plan",
       {{"ranks", view.plan.cpus.size()},
        {"cpus", view.plan.cpus},
        {"oversubscribed", view.plan.use == placement::CpuUse::oversubscribed},
        {"covered", array_json(view.plan.covered, pair_json)},
        {"missing", array_json(view.plan.uncovered, missing_json)}}},
  };
  if (!view.pairs.empty()) document["pairs"] = array_json(view.pairs, pair_json);
  return document;
}

}  // namespace hockney::report
