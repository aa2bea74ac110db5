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
          .parameters = {{"window", "16"}}};
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
                  .requested = {{.variable = "OMPI_MCA_btl_vader_eager_limit",
                                 .requested = "8192",
                                 .effective = "4096",
                                 .proof = Proof::ignored,
                                 .reason = "4096 is in force"}},
                  .messages = {"WARNING: no network device was found"}},
          .hosts = {{.name = "node1",
                     .cpu_model = "Example CPU",
                     .kernel = "Linux 6.1",
                     .governor = "performance",
                     .clocksource = "tsc",
                     .topology_digest = "feedbeef",
                     .cpus = 8,
                     .load_average = 0.25,
                     .network = {{"slurm_address", "spine.leaf1.node1"},
                                 {"slurm_pattern", "switch.switch.node"}}}},
          .network = SiteOrigin{.source = "slurm-address",
                                .detail = "SLURM_TOPOLOGY_ADDR of every node",
                                .inferred = false}};
}

inline Series example_series() {
  const std::vector<double> samples{1e-6, 1.1e-6, 0.1, 1.3e-6, 1.05e-6, 1.2e-6};
  Series series{.point = example_point(8),
                .samples_seconds = samples,
                .blocks = {4, 2},
                .starts_seconds = {0.25, 1.5},
                .noise_probes_seconds = {5e-6, 5.25e-6},
                .page_faults = {0, 0.5},
                .skews_seconds = {1e-7, 3e-7},
                .locals_seconds = {{1e-6, 9e-7}, {1.1e-6, 8e-7}},
                .deliveries_checked = 190,
                .late_starts = 1,
                .batch = 100,
                .bytes_per_sample = 8,
                .transport = Transport{.messages = 1200,
                                       .payload_bytes = 9600,
                                       .copy_calls = 1,
                                       .copied_bytes = 8,
                                       .tcp_bytes = 16,
                                       .shares_memory = true,
                                       .devices = {"xpmem"}},
                .flags = {"drifting"}};
  series.summary = summarise(series);
  series.summary.tails = {.p90_seconds = 1.3e-6, .p99_seconds = 0.05, .p999_seconds = 0.1};
  return series;
}

inline Protocol example_protocol() {
  return {
      .hop = "l3",
      .pair = {0, 3},
      .path = "shm",
      .eager_limit_bytes = 4040,
      .reason = "none was held",
      .eager_probes = {{.call = "send",
                        .receiver = "progressing",
                        .datatype = "bytes",
                        .limit_bytes = 4040,
                        .held_bytes = 4041,
                        .most_bytes = 4194304,
                        .exceptions = {5000},
                        .probes = 51,
                        .corrections = 1}},
      .unexpected = {{.bytes = 1, .receiver = "asleep", .accepted = 17, .most = 4096}},
      .stated = {{.variable = "btl_vader_eager_limit", .value_bytes = 4096, .header_bytes = 56}},
      .flags = {"limit-unsteady"}};
}

inline MemoryUse example_memory() {
  return {.rank = 3,
          .moment = "flooded",
          .peers = 1,
          .communicators = 16,
          .messages = 4096,
          .message_bytes = 1,
          .rss_bytes = 30'000'000,
          .pss_bytes = 9'000'000,
          .shared_bytes = 5'000'000};
}

inline CoreNoise example_noise() {
  return {.rank = 3,
          .recorded_seconds = 2.5,
          .work_seconds = 5e-6,
          .limit_seconds = 5.5e-6,
          .stolen = {0.25, 0.125},
          .interruptions_per_second = {250, 1000},
          .interruptions = 1250,
          .median_seconds = 3e-6,
          .longest_seconds = 4e-3,
          .periods = std::vector<NoisePeriod>{
              {.period_seconds = 4e-3, .false_alarm = 1e-9, .share = 0.75}}};
}

inline AlgorithmUse example_algorithm_use() {
  return {.operation = "allreduce",
          .bytes = {16},
          .ranks = 4,
          .requested = "ring",
          .ran = "recursive_doubling",
          .proof = Proof::ignored,
          .evidence = "8 messages of 128 bytes, as recursive_doubling sends them",
          .parameters = {{"datatype", "double"}}};
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
      .campaign =
          CampaignPlace{
              .name = "nightly", .setting = "eager=4096", .launch = 3, .axes = {{"eager", "4096"}}},
      .provenance = example_provenance(),
      .ranks = {{.rank = 0, .host = "node1", .requested_cpu = 0, .actual_cpus = {0}},
                {.rank = 3, .host = "node1", .requested_cpu = 5, .actual_cpus = {4, 5}}},
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
      .points = {{.point = example_point(8), .bytes_per_sample = 8, .bus_bytes_per_sample = 10.5},
                 {.point = example_point(64),
                  .bytes_per_sample = 64,
                  .bus_bytes_per_sample = 80.5,
                  .status = PointStatus::skipped,
                  .reason = "budget spent",
                  .thread_cpus = {{0, 1}, {2, 3}}}},
      .series = {example_series()},
      .protocols = {example_protocol()},
      .memory = {example_memory()},
      .algorithms = {example_algorithm_use()},
      .guidelines = {{.name = "bcast in parts",
                      .left = {.operation = "bcast", .parameters = {{"root", "first"}}},
                      .right = {.operation = "bcast", .parameters = {{"root", "last"}}},
                      .map = SizeRelation::parts,
                      .factor = 1.5}},
      .buffers = {{.memory = "cuda",
                   .ranks = {0, 3},
                   .evidence = "device 0 of 1",
                   .is_proven = true,
                   .gpu_aware = "asserted"}},
      .noise = {example_noise()},
      .machine =
          {{.moment = ProbeMoment::middle,
            .at_seconds = 0.75,
            .lines = {{.pair = {0, 3}, .seconds = 4.5e-8}},
            .ranks = {{.rank = 3, .noise_probe_seconds = 5e-6, .copy_bytes_per_second = 1.25e10}}}},
      .flags = {"oversubscribed"}};
}

/// The same with everything that may be unknown unknown.
inline Record bare_record() {
  Record record = example_record();
  record.campaign.reset();
  record.sync.reset();
  record.ranks.front().requested_cpu.reset();
  record.series.front().summary = {};
  Protocol& protocol = record.protocols.front();
  protocol.hop.reset();
  protocol.path.reset();
  protocol.eager_limit_bytes.reset();
  protocol.eager_probes.front().limit_bytes.reset();
  protocol.eager_probes.front().held_bytes.reset();
  protocol.unexpected.front().accepted.reset();
  MemoryUse& memory = record.memory.front();
  memory.peers.reset();
  memory.communicators.reset();
  memory.messages.reset();
  memory.message_bytes.reset();
  record.buffers.front().gpu_aware.reset();
  CoreNoise& noise = record.noise.front();
  noise.median_seconds.reset();
  noise.longest_seconds.reset();
  noise.periods.reset();
  record.series.front().transport.reset();
  record.algorithms.front().ran.reset();
  for (Point* point : {&record.series.front().point, &record.points.own().front().point}) {
    point->hop.reset();
    point->path.reset();
    point->algorithm.reset();
    point->pair.clear();
    point->parameters.clear();
  }
  return record;
}

}  // namespace hockney
