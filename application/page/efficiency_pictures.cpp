#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/screens/comparison_report.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Comparison;
using applications::Figure;
using applications::Run;
using Json = nlohmann::json;

std::vector<std::pair<std::string, std::optional<Figure>>> efficiencies_of_run(const Run& run) {
  return {{"global", run.global_efficiency},
          {"parallel", run.parallel},
          {"load balance", run.load_balance},
          {"communication", run.communication},
          {"computing", run.computing_efficiency}};
}

/// How good an efficiency is, best first: its least value, and how it is called.
struct EfficiencyRange {
  double least = 0;
  const char* name = nullptr;
};

constexpr std::array<EfficiencyRange, heat_steps> efficiency_ranges{{{0.95, "95 % and more"},
                                                                     {0.85, "85 .. 95 %"},
                                                                     {0.7, "70 .. 85 %"},
                                                                     {0.5, "50 .. 70 %"},
                                                                     {-HUGE_VAL, "below 50 %"}}};

/// Colours by how much is lost, the number and its ink.
void color_efficiencies(Json& values) {
  for (Json& value : values) {
    const double efficiency = value.at("value");
    const auto found = std::ranges::find_if(
        efficiency_ranges, [&](const EfficiencyRange& range) { return efficiency >= range.least; });
    const auto place = std::distance(efficiency_ranges.begin(), found) + 1;
    value["range"] = found->name;
    value["ink"] = "var(--on-heat-" + std::to_string(place) + ")";
    value["words"] = share_text(efficiency);
  }
}

Json efficiency_layers(const Comparison& comparison, const Json& values) {
  Json x = name_channel("figure", "", names_in(values, "figure"));
  x["axis"] = {{"title", nullptr}, {"labelAngle", 0}, {"orient", "top"}, {"ticks", false}};
  Json y = name_channel("run", "", run_labels(comparison));
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}, {"ticks", false}};
  Json color = part_color(
      "range", strings_of(efficiency_ranges, [](const EfficiencyRange& one) { return one.name; }));
  color["legend"] = {{"title", nullptr}, {"symbolStrokeColor", "var(--soft)"}};
  return Json::array(
      {{{"name", "rows"},
        {"mark", {{"type", "rect"}, {"stroke", "var(--paper)"}, {"strokeWidth", 2}}},
        {"encoding", telling({{"x", x}, {"y", y}, {"color", color}})}},
       {{"mark", {{"type", "text"}, {"fontWeight", "bold"}}},
        {"encoding",
         {{"x", x},
          {"y", y},
          {"text", {{"field", "words"}, {"type", "nominal"}}},
          {"color", {{"field", "ink"}, {"type", "nominal"}, {"scale", nullptr}}}}}}});
}

std::string efficiencies_title(const Comparison& comparison) {
  const Run& last = comparison.runs.back();
  const auto told = [](const char* name, const std::optional<Figure>& figure) {
    return figure ? std::string(name) + share_text(figure->value) : std::string();
  };
  std::vector<std::string> parts{told("load balance ", last.load_balance),
                                 told("communication ", last.communication),
                                 told("computing ", last.computing_efficiency)};
  std::erase(parts, "");
  return run_labels(comparison).back() + ": " + told("global efficiency ", last.global_efficiency) +
         (last.global_efficiency && !parts.empty() ? " = " : "") + join(parts, " x ");
}

}  // namespace

std::vector<Picture> efficiency_pictures(const Comparison& comparison,
                                         const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  Picture picture{.id = "efficiencies",
                  .title = efficiencies_title(comparison),
                  .caption = {},
                  .table = PageTable{{{"run", "run"},
                                      {"ranks", "ranks"},
                                      {"efficiency", "figure"},
                                      {"value", "value"},
                                      {"from", "low"},
                                      {"to", "high"}},
                                     {}},
                  .launches = source.launches,
                  .command = source.command + " --all"};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    for (const auto& [name, figure] : efficiencies_of_run(run)) {
      add_figure(picture.table,
                 {labels[i], count_on_page(static_cast<std::size_t>(run.ranks)), name}, figure);
    }
  }
  if (picture.table.rows.empty()) return {};
  Json values = values_of(picture.table);
  color_efficiencies(values);
  picture.caption =
      "POP: global = parallel x computing, parallel = load balance x communication; computing is "
      "against " +
      labels.front() + ". The darker, the more is lost." +
      interval_caption(values, "In the table: ");
  Json layers = efficiency_layers(comparison, values);
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers),
                         height_of_bars(labels.size()) + 40);
  return {std::move(picture)};
}

}  // namespace hockney::report
