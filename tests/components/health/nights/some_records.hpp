#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "components/health/nights/ingest.hpp"
#include "core/record_file.hpp"
#include "tests/support/launches.hpp"

namespace hockney::health {

inline Point hop_point(const std::string& operation, std::int64_t bytes) {
  return {.operation = operation, .bytes = {bytes}, .ranks = 2, .hop = "l3", .pair = {0, 1}};
}

/// Launch `number` of a setting of the campaign "nightly".
inline Record nightly_launch(const std::string& setting, int number) {
  Record record = launch_of(setting);
  record.campaign->name = "nightly";
  record.campaign->launch = number;
  record.started_utc = "2026-11-22T03:04:0" + std::to_string(number % 10) + "Z";
  record.provenance.mpi.library = "Open MPI v4.1.4";
  record.provenance.mpi.settings = {{"eager", "4096"}, {"session", std::to_string(number)}};
  record.provenance.hosts = {{.name = "hx1", .kernel = "Linux 6.1", .governor = "performance"}};
  record.clock.cost_seconds = 2e-8;
  return record;
}

/// The figure of the night by its name; fails the test when there is none or there are two.
inline const NightFigure& figure(const Night& night, const std::string& name) {
  const auto is_named = [&](const NightFigure& one) { return one.series.name == name; };
  if (std::ranges::count_if(night.figures, is_named) != 1) {
    std::string all;
    for (const NightFigure& one : night.figures) all += "\n  " + one.series.name;
    throw std::runtime_error("not one '" + name + "' among" + all);
  }
  return *std::ranges::find_if(night.figures, is_named);
}

inline bool has_figure(const Night& night, const std::string& name) {
  return std::ranges::any_of(night.figures,
                             [&](const NightFigure& one) { return one.series.name == name; });
}

}  // namespace hockney::health
