#pragma once

#include "core/record.hpp"

namespace hockney {

inline Point example_point(std::int64_t bytes) {
  return {.operation = "pingpong",
          .bytes = {bytes},
          .ranks = 2,
          .hop = "l3",
          .path = "shared-memory",
          .algorithm = "direct",
          .pair = {0, 3},
          .parameters = {{"window", "64"}}};
}

inline Provenance example_provenance() {
  return {.command_line = {"hockney-pingpong", "-b", "8,64"},
          .environment = {{"OMPI_MCA_pml", "ob1"}},
          .build = {.version = "1.2.3",
                    .git_revision = "0123456789ab",
                    .compiler = "GNU 12.2.0",
                    .flags = "-O2"},
          .mpi = {.library = "Open MPI v4.1.4",
                  .standard = "3.1",
                  .settings = {{"btl_vader_eager_limit", "4096"}},
                  .asked = {{.variable = "OMPI_MCA_btl_vader_eager_limit",
                             .asked = "8192",
                             .in_force = "4096",
                             .proof = Proof::ignored,
                             .reason = "4096 is in force"}}},
          .hosts = {{.name = "node1",
                     .cpu_model = "Example CPU",
                     .kernel = "Linux 6.1",
                     .governor = "performance",
                     .clocksource = "tsc",
                     .topology_digest = "feedbeef",
                     .cpus = 8,
                     .load_average = 0.25}}};
}

inline Series example_series() {
  const std::vector<double> samples{1e-6, 1.1e-6, 0.1, 1.3e-6, 1.05e-6, 1.2e-6};
  Series series{.point = example_point(8),
                .samples_seconds = samples,
                .visits = {4, 2},
                .starts_seconds = {0.25, 1.5},
                .controls_seconds = {5e-6, 5.25e-6},
                .skews_seconds = {1e-7, 3e-7},
                .locals_seconds = {{1e-6, 9e-7}, {1.1e-6, 8e-7}},
                .late_starts = 1,
                .batch = 100,
                .bytes_per_sample = 8,
                .flags = {"drifting"}};
  series.summary = summarise(series);
  series.summary.tails = {.p90_seconds = 1.3e-6, .p99_seconds = 0.05, .p999_seconds = 0.1};
  return series;
}

/// A record in which every key of the document has a value and no array is empty.
inline Record example_record() {
  return {
      .procedure = "pingpong",
      .status = LaunchStatus::complete,
      .started_utc = "2026-01-02T03:04:05Z",
      .elapsed_seconds = 2.5,
      .measuring_seconds = 1.75,
      .stopped_because = "budget spent",
      .seed = 42,
      .campaign = CampaignPlace{.name = "nightly",
                                .setting = "eager=4096",
                                .launch = 3,
                                .axes = {{"eager", "4096"}}},
      .provenance = example_provenance(),
      .ranks = {{.rank = 0, .host = "node1", .asked_cpu = 0, .actual_cpus = {0}},
                {.rank = 3, .host = "node1", .asked_cpu = 5, .actual_cpus = {4, 5}}},
      .clock = {.source = "CLOCK_MONOTONIC_RAW", .resolution_seconds = 1e-9, .cost_seconds = 2e-8},
      .start = "round-time",
      .sync = Synchronisation{.scheme = "hca3",
                              .bound_seconds = 1.5e-6,
                              .self_test = ClockSelfTest{.estimate_seconds = -2e-8,
                                                         .bound_seconds = 3e-7,
                                                         .passed = true},
                              .slope_used = true,
                              .end_error_seconds = 8e-7,
                              .end_bound_seconds = 1.25e-6,
                              .duration_seconds = 0.3,
                              .checks = std::vector<ClockSelfTest>{{.estimate_seconds = 3e-8,
                                                                    .bound_seconds = 2e-7,
                                                                    .passed = true}}},
      .points = {{.point = example_point(8), .bytes_per_sample = 8},
                 {.point = example_point(64),
                  .bytes_per_sample = 64,
                  .status = PointStatus::skipped,
                  .reason = "budget spent"}},
      .series = {example_series()},
      .flags = {"oversubscribed"}};
}

/// The same with everything that may be unknown unknown.
inline Record bare_record() {
  Record record = example_record();
  record.campaign.reset();
  record.sync.reset();
  record.ranks.front().asked_cpu.reset();
  record.series.front().summary = {};
  for (Point* point : {&record.series.front().point, &record.points.front().point}) {
    point->hop.reset();
    point->path.reset();
    point->algorithm.reset();
    point->pair.clear();
    point->parameters.clear();
  }
  return record;
}

}  // namespace hockney
