#include "history/nights/node_figures.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/series_name.hpp"
#include "verdicts/fleet/fleet.hpp"

namespace hockney {
namespace {

NightFigure figure_of(const NodeEffect& node, const std::string& point, std::size_t launches) {
  SeriesName name = parse_series_name(point);
  name.keys["host"] = node.host;
  name.figure = "node_ratio";
  NightFigure figure{.series = {.name = name.text(), .unit = "ratio"},
                     .value = {.value = 1 + node.effect, .launches = launches, .environment = {}}};
  if (node.interval) {
    figure.value.interval = Interval{.low = 1 + node.interval->low,
                                     .high = 1 + node.interval->high,
                                     .level = node.interval->level};
  }
  return figure;
}

}  // namespace

std::vector<NightFigure> node_figures(std::span<const NightPair> pairs) {
  std::map<std::string, std::vector<NightlyPair>> points;
  for (const NightPair& pair : pairs) points[pair.point].push_back(pair.pair);
  std::vector<NightFigure> figures;
  for (const auto& [point, of_point] : points) {
    const FleetNight night = judge_fleet(of_point);
    if (night.undecided != FleetUndecided::none) continue;
    const std::size_t launches = std::ranges::min(of_point, {}, &NightlyPair::launches).launches;
    for (const NodeEffect& node : night.nodes) figures.push_back(figure_of(node, point, launches));
  }
  return figures;
}

}  // namespace hockney
