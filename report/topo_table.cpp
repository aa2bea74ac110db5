#include "report/topo_table.hpp"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text.hpp"

namespace hockney {
namespace {

constexpr int label_width = 16;
constexpr int number_width = 10;

template <class Value>
void fact(std::ostream& out, const std::string& label, const Value& value) {
  out << std::left << std::setw(label_width) << label << value << '\n';
}

void facts(std::ostream& out, const TopoView& view) {
  fact(out, "source", inert(view.source));
  if (!view.cpu_model.empty()) fact(out, "cpu model", inert(view.cpu_model));
  fact(out, "digest", view.digest);
  fact(out, "packages", view.packages);
  fact(out, "numa nodes", view.numa_nodes);
  fact(out, "l3 caches", view.l3_caches);
  fact(out, "cores", view.cores);
  fact(out, "cpus", view.pus.size());
  if (!view.left_out.empty()) {
    fact(out, "not allowed",
         std::to_string(view.left_out.size()) + " cpus: " + view.left_out_ranges);
  }
}

void pair_cells(std::ostream& out, const TopoPair& pair) {
  out << std::right << std::setw(number_width) << pair.first << std::setw(number_width)
      << pair.second << '\n';
}

void hop_rows(std::ostream& out, const std::vector<TopoHop>& hops) {
  out << '\n'
      << std::left << std::setw(label_width) << "hop" << std::right << std::setw(number_width)
      << "pairs" << std::setw(number_width) << "cpu" << std::setw(number_width) << "cpu" << '\n';
  for (const TopoHop& hop : hops) {
    out << std::left << std::setw(label_width) << hop.representative.hop << std::right
        << std::setw(number_width) << hop.pairs;
    pair_cells(out, hop.representative);
  }
  if (hops.empty()) out << "none: a pair takes two CPUs\n";
}

void pair_rows(std::ostream& out, const std::vector<TopoPair>& pairs) {
  if (pairs.empty()) return;
  out << '\n'
      << std::left << std::setw(label_width) << "hop" << std::right << std::setw(number_width)
      << "cpu" << std::setw(number_width) << "cpu" << '\n';
  for (const TopoPair& pair : pairs) {
    out << std::left << std::setw(label_width) << pair.hop;
    pair_cells(out, pair);
  }
}

void plan_rows(std::ostream& out, const TopoPlan& plan) {
  std::vector<std::string> hops;
  hops.reserve(plan.covered.size());
  for (const TopoPair& pair : plan.covered) hops.push_back(pair.hop);
  out << '\n';
  fact(out, "ranks", plan.cpus.size());
  fact(out, "on cpus", join_numbers(plan.cpus, ","));
  fact(out, "they show", hops.empty() ? "no hop class" : join(hops));
  for (const TopoMissing& missing : plan.missing) {
    if (!missing.ranks_needed) continue;
    fact(out, "not shown",
         missing.hop + ", takes " + std::to_string(*missing.ranks_needed) + " ranks");
  }
  if (plan.oversubscribed)
    fact(out, "oversubscribed", "ranks share CPUs; times will not be those of the machine");
  fact(out, "start with", "hockney run CONFIG --ranks " + std::to_string(plan.cpus.size()));
}

nlohmann::json number_or_null(const std::optional<int>& number) {
  return number ? nlohmann::json(*number) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const TopoPu& pu) {
  return {{"os_cpu", pu.os_cpu},         {"core", pu.core}, {"l2", number_or_null(pu.l2)},
          {"l3", number_or_null(pu.l3)}, {"numa", pu.numa}, {"package", pu.package}};
}

nlohmann::json to_json(const TopoPair& pair) {
  return {{"hop", pair.hop}, {"cpus", {pair.first, pair.second}}};
}

nlohmann::json to_json(const TopoHop& hop) {
  return {{"hop", hop.representative.hop},
          {"pairs", hop.pairs},
          {"representative", {hop.representative.first, hop.representative.second}}};
}

nlohmann::json to_json(const TopoMissing& missing) {
  return {{"hop", missing.hop}, {"ranks_needed", number_or_null(missing.ranks_needed)}};
}

template <class Item>
nlohmann::json array_of(const std::vector<Item>& items) {
  nlohmann::json array = nlohmann::json::array();
  for (const Item& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace

std::string topo_table(const TopoView& view) {
  std::ostringstream out;
  facts(out, view);
  hop_rows(out, view.hops);
  pair_rows(out, view.pairs);
  plan_rows(out, view.plan);
  return out.str();
}

nlohmann::json topo_json(const TopoView& view) {
  nlohmann::json document{
      {"schema", "hockney.topology/1"},
      {"source", view.source},
      {"this_system", view.this_system},
      {"digest", view.digest},
      {"cpu_model", view.cpu_model},
      {"counts",
       {{"packages", view.packages},
        {"numa_nodes", view.numa_nodes},
        {"l3_caches", view.l3_caches},
        {"cores", view.cores},
        {"pus", view.pus.size()}}},
      {"pus", array_of(view.pus)},
      {"left_out", view.left_out},
      {"hops", array_of(view.hops)},
      {"plan",
       {{"ranks", view.plan.cpus.size()},
        {"cpus", view.plan.cpus},
        {"oversubscribed", view.plan.oversubscribed},
        {"covered", array_of(view.plan.covered)},
        {"missing", array_of(view.plan.missing)}}},
  };
  if (!view.pairs.empty()) document["pairs"] = array_of(view.pairs);
  return document;
}

}  // namespace hockney
