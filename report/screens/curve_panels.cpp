#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "report/screens/curves.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Several = std::vector<const CurveSummary*>;

CurvePoint middle_of(Bytes bytes, const std::vector<const CurvePoint*>& points) {
  std::vector<double> seconds;
  std::vector<double> rates;
  std::size_t launches = 0;
  for (const CurvePoint* const point : points) {
    seconds.push_back(point->seconds);
    rates.push_back(point->rate.value);
    launches = std::max(launches, point->launches);
  }
  const auto [low, high] = std::ranges::minmax(seconds);
  return {.bytes = bytes,
          .seconds = median_of_some(seconds),
          .interval = Interval{low, high, 1},
          .rate = BytesPerSecond{median_of_some(rates)},
          .launches = launches};
}

CurveSummary bundle_of(const Several& curves, const std::string& name) {
  std::map<Bytes, std::vector<const CurvePoint*>> by_size;
  for (const CurveSummary* const curve : curves) {
    for (const CurvePoint& point : curve->points) by_size[point.bytes].push_back(&point);
  }
  CurveSummary made{.row = curves.front()->row,
                    .points = {},
                    .label = inert(name) + " (" + count_text(curves.size(), "curve") + ")",
                    .fit = {}};
  for (const auto& [bytes, points] : by_size) made.points.push_back(middle_of(bytes, points));
  return made;
}

CurvePanel panel_of(const std::string& operation, const Several& curves, std::size_t most) {
  CurvePanel panel{.operation = operation, .curves = {}};
  if (curves.size() <= most) {
    for (const CurveSummary* const curve : curves) panel.curves.push_back(*curve);
    return panel;
  }
  panel.bundled = curves.size();
  std::map<std::string, Several> by_hop;
  for (const CurveSummary* const curve : curves) {
    by_hop[curve->row->point.hop.value_or("any hop")].push_back(curve);
  }
  if (by_hop.size() > most) by_hop = {{"all", curves}};
  for (const auto& [hop, some] : by_hop) panel.curves.push_back(bundle_of(some, hop));
  return panel;
}

}  // namespace

std::vector<std::string> CurvePanel::labels() const {
  return strings_of(curves, &CurveSummary::label);
}

std::vector<CurvePanel> curve_panels(std::span<const CurveSummary> curves, std::size_t most) {
  std::vector<std::string> operations;
  std::map<std::string, Several> by_operation;
  for (const CurveSummary& curve : curves) {
    Several& some = by_operation[curve.row->point.operation];
    if (some.empty()) operations.push_back(curve.row->point.operation);
    some.push_back(&curve);
  }
  std::vector<CurvePanel> panels;
  panels.reserve(operations.size());
  for (const std::string& name : operations)
    panels.push_back(panel_of(name, by_operation[name], most));
  return panels;
}

}  // namespace hockney::report
