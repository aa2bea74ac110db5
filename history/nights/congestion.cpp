#include <algorithm>
#include <map>

#include "core/series_name.hpp"
#include "history/nights/curve_figures.hpp"
#include "history/nights/other_figures.hpp"
#include "models/curves.hpp"
#include "verdicts/health/variability.hpp"

namespace hockney {
namespace {

/// The times of one size, launch by launch [s].
std::vector<double> times_of(const Curve& curve, Bytes size) {
  std::vector<double> times;
  const auto place = std::ranges::find(curve.sizes, size);
  if (place == curve.sizes.end()) return times;
  for (const auto& launch : curve.medians_seconds) {
    const auto& cell = launch[static_cast<std::size_t>(place - curve.sizes.begin())];
    if (cell) times.push_back(*cell);
  }
  return times;
}

}  // namespace

std::vector<NightFigure> congestion_figures(std::span<const Record> loaded,
                                            std::span<const Record> idle,
                                            const std::string& loaded_setting) {
  const Curves idle_curves = collect_curves(idle);
  std::map<std::map<std::string, std::string>, const Curve*> by_keys;
  const auto identity = [](const Curve& curve) {
    auto keys = series_keys(curve.point);
    keys["operation"] = curve.point.operation;
    return keys;
  };
  for (const Curve& curve : idle_curves.curves) by_keys[identity(curve)] = &curve;
  std::vector<NightFigure> figures;
  for (const Curve& curve : collect_curves(loaded).curves) {
    const auto same = by_keys.find(identity(curve));
    if (same == by_keys.end() || is_floor(curve.point.operation)) continue;
    for (const Bytes size : curve.sizes) {
      const auto factor = congestion_factor(times_of(curve, size), times_of(*same->second, size));
      if (!factor || factor->value <= 0) continue;
      auto keys = series_keys(curve.point);
      keys["bytes"] = std::to_string(size.value);
      keys["setting"] = loaded_setting;
      const SeriesName name{
          .operation = curve.point.operation, .keys = keys, .figure = "congestion"};
      figures.push_back({.series = {.name = name.text(), .unit = "ratio"},
                         .value = {.value = factor->value,
                                   .interval = factor->interval,
                                   .launches = factor->launches,
                                   .environment = {}}});
    }
  }
  return figures;
}

}  // namespace hockney
