#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/synthetic.hpp"

namespace hockney {

/// What is planted at a moment of a launch.
struct PlantedMachine {
  double line = 1;   ///< factor of cache-line times, and of the time of pingpong
  double noise = 1;  ///< factor of the noise probe
};

/// One for each launch and moment (0: begin, 1: middle, 2: end).
using Planting = std::function<PlantedMachine(std::size_t launch, std::size_t moment)>;

/// Launches of pingpong of two ranks on a machine that is quiet but for what is planted. A
/// launch has two blocks: one before and one after the probe in its middle, at 1 s and 3 s.
inline std::vector<Record> machine_campaign(std::size_t launches, std::uint64_t seed,
                                            const Planting& planting,
                                            const std::string& setting = "default") {
  Noise noise(seed);
  std::vector<Record> records;
  for (std::size_t launch = 0; launch < launches; ++launch) {
    Record record = launch_of(setting);
    record.campaign->launch = static_cast<int>(launch);
    record.elapsed_seconds = 5;
    record.ranks = {{.rank = 0, .host = "vm", .requested_cpu = 0, .actual_cpus = {0}},
                    {.rank = 1, .host = "vm", .requested_cpu = 1, .actual_cpus = {1}}};
    const double level = std::exp(0.03 * noise.normal());
    for (std::size_t moment = 0; moment < 3; ++moment) {
      const PlantedMachine planted = planting(launch, moment);
      MachineProbe& probe = record.machine.emplace_back();
      probe.moment = static_cast<ProbeMoment>(moment);
      probe.at_seconds = 2 * static_cast<double>(moment);
      const double line = 43e-9 * planted.line * level * std::exp(0.02 * noise.normal());
      probe.lines = {{.pair = {0, 1}, .seconds = line}};
      for (const int rank : {0, 1}) {
        probe.ranks.push_back(
            {.rank = rank,
             .noise_probe_seconds = 5.4e-6 * planted.noise * std::exp(0.004 * noise.normal()),
             .copy_bytes_per_second = 1e10 * std::exp(0.03 * noise.normal())});
      }
    }
    Point point = simple_point("pingpong", 8);
    point.pair = {0, 1};
    Series series{.point = point, .blocks = {3, 3}, .starts_seconds = {1, 3}};
    for (const std::size_t moment : {0U, 2U}) {
      const PlantedMachine planted = planting(launch, moment);
      for (const double factor : {0.99, 1.0, 1.01}) {
        series.samples_seconds.push_back(105e-9 * planted.line * level * factor);
      }
      series.noise_probes_seconds.push_back(5.4e-6 * planted.noise);
    }
    series.summary = summarise(series);
    record.points.own().push_back({.point = point});
    record.series.push_back(std::move(series));
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace hockney
