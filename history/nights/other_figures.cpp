#include "history/nights/other_figures.hpp"

#include <algorithm>
#include <map>

#include "core/series_name.hpp"
#include "history/nights/curve_figures.hpp"
#include "history/nights/over_launches.hpp"

namespace hockney {
namespace {

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
    if (!protocol.eager_limit_bytes) continue;
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
    all.insert(all.end(), series.controls_seconds.begin(), series.controls_seconds.end());
  }
  return spins;
}

}  // namespace

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

}  // namespace hockney
