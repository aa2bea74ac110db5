#include <algorithm>
#include <functional>
#include <set>

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

/// Whether each run has its own number of ranks, so that they make an axis.
bool are_by_ranks(const Comparison& comparison) {
  std::set<int> ranks;
  for (const Run& run : comparison.runs) ranks.insert(run.ranks);
  return ranks.size() == comparison.runs.size();
}

/// Where runs and their figures stand: ranks along x, or a line for each run.
struct RunAxes {
  bool are_ranks = false;
  Json run;
  std::function<Json(const char*)> figure;

  /// A place for marks, from one figure to another where there are two.
  [[nodiscard]] Json place(const char* key, const char* second = nullptr) const {
    Json channels{{are_ranks ? "x" : "y", run}, {are_ranks ? "y" : "x", figure(key)}};
    if (second != nullptr) channels[are_ranks ? "y2" : "x2"] = {{"field", second}};
    return channels;
  }
};

RunAxes axes_of(const Comparison& comparison, const Json& values,
                std::function<Json(const char*)> figure) {
  RunAxes axes{.are_ranks = are_by_ranks(comparison),
               .run = ranks_channel("ranks", values),
               .figure = std::move(figure)};
  if (axes.are_ranks) return axes;
  axes.run = name_channel("run", "", run_labels(comparison));
  axes.run["axis"] = {{"title", nullptr}, {"labelLimit", 330}, {"grid", true}};
  return axes;
}

/// Of a plot with a line for each run, or an upright one.
int height_for(const Comparison& comparison, int upright) {
  return are_by_ranks(comparison) ? upright : height_of_bars(comparison.runs.size());
}

/// Points with the bars of their intervals.
Json point_layers(const Json& values, const RunAxes& axes) {
  const Json mark{{"type", "point"},
                  {"filled", true},
                  {"size", 75},
                  {"opacity", 1},
                  {"color", "var(--series-1)"}};
  Json layers = Json::array();
  if (std::ranges::any_of(values, [](const Json& one) { return !one.at("low").is_null(); })) {
    layers.push_back({{"transform", Json::array({{{"filter", "isValid(datum.low)"}}})},
                      {"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
                      {"encoding", axes.place("low", "high")}});
  }
  layers.push_back({{"name", "rows"}, {"mark", mark}, {"encoding", telling(axes.place("value"))}});
  return layers;
}

/// As many times faster as there are more ranks, from the first run to the last.
Json ideal_layer(const Comparison& comparison, const RunAxes& axes) {
  const Run& first = comparison.runs.front();
  const Run& last = comparison.runs.back();
  const bool is_weak = comparison.scaling == applications::Scaling::weak;
  const double ideal = is_weak ? 1 : static_cast<double>(last.ranks) / first.ranks;
  const Json values = Json::array(
      {{{"ranks", first.ranks}, {"value", 1}}, {{"ranks", last.ranks}, {"value", ideal}}});
  return over(values, {{"mark",
                        {{"type", "line"},
                         {"strokeWidth", 1.5},
                         {"strokeDash", Json::array({4, 4})},
                         {"color", "var(--soft)"}}},
                       {"encoding", axes.place("value")}});
}

/// What the screen says of the last run, without what grew.
std::string speed_up_title(const Comparison& comparison) {
  const std::vector<std::string> labels = run_labels(comparison);
  const auto& last = comparison.runs.back().speed_up;
  if (!last) return "Speed-up over " + labels.front();
  const std::string interval =
      last->interval ? " (" + interval_text(last->interval, 1, 3) + ")" : "";
  return labels.back() + ": " + significant(last->value, 3) + interval + " times as fast as " +
         labels.front();
}

std::vector<Picture> speed_up_picture(const Comparison& comparison, const ProgramSource& source) {
  const std::vector<std::string> labels = run_labels(comparison);
  Picture picture{.id = "speed-up",
                  .title = speed_up_title(comparison),
                  .caption = {},
                  .table = PageTable{{{"run", "run"},
                                      {"ranks", "ranks"},
                                      {"time", "seconds"},
                                      {"speed-up", "value"},
                                      {"from", "low"},
                                      {"to", "high"}},
                                     {}},
                  .launches = source.launches,
                  .command = source.command + " --all"};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Run& run = comparison.runs[i];
    add_figure(picture.table,
               {labels[i], count_on_page(static_cast<std::size_t>(run.ranks)),
                time_on_page(run.seconds.value)},
               run.speed_up);
  }
  if (picture.table.rows.empty()) return {};
  Json values = values_of(picture.table);
  const RunAxes axes = axes_of(comparison, values, [&](const char* key) {
    return ratio_channel(key, "speed-up", are_by_ranks(comparison) ? "y" : "x");
  });
  Json layers = axes.are_ranks ? Json::array({ideal_layer(comparison, axes)}) : Json::array();
  for (Json& layer : point_layers(values, axes)) layers.push_back(std::move(layer));
  picture.caption = "Over " + labels.front() + "." + interval_caption(values, "Bars: ") +
                    (axes.are_ranks ? " Dashed: efficiency 1." : "");
  picture.plot =
      plot_of(picture.title, std::move(values), std::move(layers), height_for(comparison, 260));
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> scaling_pictures(const Comparison& comparison, const ProgramSource& source) {
  std::vector<Picture> pictures = speed_up_picture(comparison, source);
  std::ranges::move(efficiency_pictures(comparison, source), std::back_inserter(pictures));
  return pictures;
}

}  // namespace hockney::report
