#include "placement/tables/topo_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"
#include "placement/topology_fields.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

std::vector<int> cpus_of(const std::vector<placement::Pu>& pus) {
  std::vector<int> cpus;
  cpus.reserve(pus.size());
  for (const placement::Pu& pu : pus) cpus.push_back(pu.os_cpu);
  return cpus;
}

/// Labels and their values.
View fact_view() { return {.headings = {{"fact", ""}, {"value", ""}}, .rows = {}}; }

View facts_of(const placement::Topology& topology) {
  const placement::TopologyCounts counts = count_groups(topology);
  const std::vector<int> left_out = cpus_of(topology.left_out);
  View facts = fact_view();
  facts.rows.push_back({"source", topology.source});
  if (!topology.cpu_model.empty()) facts.rows.push_back({"cpu model", topology.cpu_model});
  facts.rows.push_back({"digest", topology_digest(topology)});
  facts.rows.push_back({"packages", counts.packages});
  facts.rows.push_back({"numa nodes", counts.numa_nodes});
  facts.rows.push_back({"l3 caches", counts.l3_caches});
  facts.rows.push_back({"cores", counts.cores});
  facts.rows.push_back({"cpus", topology.pus.size()});
  if (!left_out.empty()) {
    facts.rows.push_back({"not allowed", fmt::format("{} cpus: {}", left_out.size(),
                                                     placement::format_cpus(left_out))});
  }
  return facts;
}

View plan_of(const placement::Plan& plan) {
  const auto hops =
      strings_of(plan.covered, [](const placement::HopPair& pair) { return hop_name(pair.hop); });
  View facts = fact_view();
  facts.rows.push_back({"ranks", plan.cpus.size()});
  facts.rows.push_back({"on cpus", join_numbers(plan.cpus, ",")});
  facts.rows.push_back({"they show", hops.empty() ? "no hop class" : join(hops)});
  for (const placement::UncoveredHop& missing : plan.uncovered) {
    if (!missing.ranks_needed) continue;
    facts.rows.push_back({"not shown", fmt::format("{}, takes {} ranks", hop_name(missing.hop),
                                                   *missing.ranks_needed)});
  }
  if (plan.use == placement::CpuUse::oversubscribed) {
    facts.rows.push_back(
        {"oversubscribed", "ranks share CPUs; times will not be those of the machine"});
  }
  facts.rows.push_back(
      {"start with", fmt::format("hockney run CONFIG --ranks {}", plan.cpus.size())});
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
       {{"pairs", "pairs", Unit::count}, &TopoHop::pairs},
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
  if (!topology.cpu_model.empty()) text += " of " + escaped(topology.cpu_model);
  const auto hops = strings_of(view.hops, [](const TopoHop& hop) {
    return fmt::format("{} ({})", hop_name(hop.representative.hop), count_text(hop.pairs, "pair"));
  });
  return fmt::format("{}: {}", text, hops.empty() ? "no pair" : join(hops));
}

void print_topo(std::ostream& out, const TopoView& view) {
  print_view(out, "", facts_of(view.topology));
  print_view(out, "", view_of(view.hops));
  if (!view.pairs.empty()) print_view(out, "", view_of(view.pairs));
  print_view(out, "", plan_of(view.plan));
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
