#include "health/nights/other_figures.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/series_name.hpp"
#include "health/detection/variability.hpp"
#include "verdicts/fleet/fleet.hpp"
#include "health/nights/curve_figures.hpp"

namespace hockney::health {
namespace {

NightFigure figure_of(const fleet::NodeEffect& node, const std::string& point, std::size_t launches) {
  NightFigure figure{.series = {.name = node_series_name(point, node.host), .unit = "ratio"},
                     .value = {.value = 1 + node.effect, .launches = launches, .environment = {}}};
  if (node.interval) {
    figure.value.interval = Interval{.low = 1 + node.interval->low,
                                     .high = 1 + node.interval->high,
                                     .level = node.interval->level};
  }
  return figure;
}

/// The times of one size, launch by launch [s].
std::vector<double> times_of(const models::Curve& curve, Bytes size) {
  std::vector<double> times;
  const auto place = std::ranges::find(curve.sizes, size);
  if (place == curve.sizes.end()) return times;
  for (const auto& launch : curve.medians_seconds) {
    const auto& cell = launch[static_cast<std::size_t>(place - curve.sizes.begin())];
    if (cell) times.push_back(*cell);
  }
  return times;
}

using Keys = std::map<std::string, std::string>;

/// One number per launch of several series that are told apart by a key of theirs.
using ByKey = std::map<std::string, std::vector<double>>;

/// What a family of series has in common.
struct Family {
  std::string operation;
  std::string key;  ///< that tells them apart
  std::string figure;
  std::string unit;
  SeriesRole role = SeriesRole::subject;
  WorseWhen worse = WorseWhen::larger;
};

void add(std::vector<NightFigure>& figures, const Family& family, const ByKey& values,
         const std::string& setting) {
  for (const auto& [name, of_launches] : values) {
    Keys keys;
    if (!family.key.empty()) keys[family.key] = name;
    if (!setting.empty()) keys["setting"] = setting;
    const SeriesName series{.operation = family.operation, .keys = keys, .figure = family.figure};
    add_figure(
        figures,
        {.name = series.text(), .unit = family.unit, .role = family.role, .worse = family.worse},
        over_launches(of_launches));
  }
}

/// Adds to each series the median of what one launch says of it.
void add_launch(ByKey& series, const ByKey& of_launch) {
  for (const auto& [name, values] : of_launch) {
    if (const auto middle = median(values)) series[name].push_back(*middle);
  }
}

ByKey limits_of(const Record& record) {
  ByKey limits;
  for (const Protocol& protocol : record.protocols) {
    const bool is_corrupt = std::ranges::count(protocol.flags, corrupt_flag) > 0;
    if (!protocol.eager_limit_bytes || is_corrupt) continue;
    limits[protocol.hop.value_or("unknown")].push_back(
        static_cast<double>(*protocol.eager_limit_bytes));
  }
  return limits;
}

ByKey memory_of(const Record& record) {
  ByKey memory;
  for (const MemoryUse& use : record.memory) {
    memory[use.moment].push_back(static_cast<double>(use.pss_bytes));
  }
  return memory;
}

ByKey spins_of(const Record& record) {
  ByKey spins;
  for (const Series& series : record.series) {
    auto& all = spins[""];
    all.insert(all.end(), series.noise_probes_seconds.begin(), series.noise_probes_seconds.end());
  }
  return spins;
}

}  // namespace

std::string node_series_name(const std::string& point, const std::string& host) {
  SeriesName name = parse_series_name(point);
  name.keys["host"] = host;
  name.figure = "node_ratio";
  return name.text();
}

std::vector<NightFigure> node_figures(std::span<const fleet::NightPair> pairs) {
  std::map<std::string, std::vector<fleet::NightlyPair>> points;
  for (const fleet::NightPair& pair : pairs) points[pair.point].push_back(pair.pair);
  std::vector<NightFigure> figures;
  for (const auto& [point, of_point] : points) {
    const fleet::FleetNight night = fleet::judge_fleet(of_point);
    if (night.undecided != fleet::FleetUndecided::none) continue;
    const std::size_t launches = std::ranges::min(of_point, {}, &fleet::NightlyPair::launches).launches;
    for (const fleet::NodeEffect& node : night.nodes) figures.push_back(figure_of(node, point, launches));
  }
  return figures;
}

std::vector<NightFigure> congestion_figures(const models::Curves& loaded,
                                            const models::Curves& idle,
                                            const std::string& loaded_setting) {
  std::map<std::map<std::string, std::string>, const models::Curve*> by_keys;
  const auto identity = [](const models::Curve& curve) {
    auto keys = series_keys(curve.point);
    keys["operation"] = curve.point.operation;
    return keys;
  };
  for (const models::Curve& curve : idle.curves) by_keys[identity(curve)] = &curve;
  std::vector<NightFigure> figures;
  for (const models::Curve& curve : loaded.curves) {
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

std::vector<NightFigure> other_figures(std::span<const Record> launches,
                                       const std::string& setting) {
  ByKey limits;
  ByKey memory;
  ByKey spins;
  ByKey readings;
  for (const Record& record : launches) {
    add_launch(limits, limits_of(record));
    add_launch(memory, memory_of(record));
    add_launch(spins, spins_of(record));
    readings[""].push_back(record.clock.cost_seconds);
  }
  std::vector<NightFigure> figures;
  add(figures,
      {.operation = "protocol",
       .key = "hop",
       .figure = "eager_limit_bytes",
       .unit = "bytes",
       .worse = WorseWhen::smaller},
      limits, setting);
  add(figures, {.operation = "memory", .key = "moment", .figure = "pss_bytes", .unit = "bytes"},
      memory, setting);
  add(figures,
      {.operation = "spin",
       .key = "",
       .figure = "seconds",
       .unit = "seconds",
       .role = SeriesRole::control},
      spins, setting);
  add(figures,
      {.operation = "clock",
       .key = "",
       .figure = "read_seconds",
       .unit = "seconds",
       .role = SeriesRole::control},
      readings, setting);
  return figures;
}

}  // namespace hockney::health
