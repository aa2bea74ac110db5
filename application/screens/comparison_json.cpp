#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "application/screens/comparison_report.hpp"

namespace hockney::report {
namespace {

using applications::Comparison;
using applications::Figure;
using applications::Run;
using Json = nlohmann::json;

Json json_of_figure(const std::optional<Figure>& figure) {
  return figure ? Json(figure->value) : Json();
}

Json json_of_interval(const std::optional<Figure>& figure) {
  return figure && figure->interval ? Json(*figure->interval) : Json();
}

template <class What>
Json growth_json(const std::optional<applications::Growth<What>>& growth, const char* name,
                 const std::string& what) {
  if (!growth) return nullptr;
  return {{name, what}, {"from_fraction", growth->from}, {"to_fraction", growth->to}};
}

Json run_json(const Run& run, const std::string& label) {
  Json json{{"label", label},
            {"ranks", run.ranks},
            {"nodes", run.nodes},
            {"command_line", run.command_line},
            {"library", run.library},
            {"environment", run.settings},
            {"launches", run.launches},
            {"seconds", run.seconds.value},
            {"seconds_ci", json_of_interval(run.seconds)}};
  const std::vector<std::pair<const char*, const std::optional<Figure>*>> figures{
      {"parallel", &run.parallel},           {"load_balance", &run.load_balance},
      {"communication", &run.communication}, {"computing", &run.computing_efficiency},
      {"global", &run.global_efficiency},    {"scaling", &run.scaling_efficiency}};
  Json& efficiencies = json["efficiencies"];
  for (const auto& [name, figure] : figures) {
    efficiencies[name] = json_of_figure(*figure);
    efficiencies[std::string(name) + "_ci"] = json_of_interval(*figure);
  }
  json["speed_up"] = json_of_figure(run.speed_up);
  json["speed_up_ci"] = json_of_interval(run.speed_up);
  json["fractions"] = {{"computing", run.shares[0]},
                       {"load_imbalance", run.shares[1]},
                       {"communication", run.shares[2]},
                       {"files", run.shares[3]}};
  json["call_fractions"] = run.call_shares;
  json["grew"] =
      growth_json(run.part_that_grew, "part",
                  run.part_that_grew ? std::string(word(run.part_that_grew->what)) : std::string());
  json["call_that_grew"] =
      growth_json(run.call_that_grew, "call", run.call_that_grew ? run.call_that_grew->what : "");
  return json;
}

}  // namespace

Json to_json(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  Json runs = Json::array();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    runs.push_back(run_json(comparison.runs[i], labels[i]));
  }
  return {{"schema", "hockney.profile-comparison/1"},
          {"scaling", word(comparison.scaling)},
          {"reference", 0},
          {"runs", std::move(runs)}};
}

}  // namespace hockney::report
