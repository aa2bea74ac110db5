#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/engine/sampling.hpp"
#include "core/record_file.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/mock_measuring.hpp"

namespace hockney::pipeline {

/// About a nanosecond; a power of two, so that every time below is exact.
inline constexpr double nanotick = 0x1p-30;

/// A machine whose ping-pong takes alpha + bytes/4 ticks one way, and more in some batches.
struct MockMachine {
  std::int64_t alpha_ticks = 1024;

  [[nodiscard]] std::int64_t round_trip_ticks(Bytes bytes) const {
    return 2 * (alpha_ticks + bytes.value / 4);
  }
};

/// One launch on a mock machine: what the launch of the real suite does, without MPI.
class MockLaunch {
 public:
  MockLaunch(MockMachine machine, const std::vector<Bytes>& sizes, int number)
      : machine_(machine), clock_(nanotick, {8}), number_(number) {
    for (const Bytes size : sizes) {
      const Point point{
          .operation = "pingpong", .bytes = size, .ranks = 2, .hop = "l3", .pair = {0, 1}};
      points_.push_back({.point = point, .bytes_per_sample = size.value});
    }
    points_.push_back({.point = {.operation = "pingpong", .bytes = {8}, .ranks = 2, .hop = "numa"},
                       .status = PointStatus::skipped,
                       .reason = "one NUMA node"});
  }

  /// The record before anything was measured.
  [[nodiscard]] Record header() const {
    return {.procedure = "pingpong",
            .started_utc = "2026-01-02T03:04:05Z",
            .seed = static_cast<std::uint64_t>(number_),
            .campaign = CampaignPlace{.name = "golden", .setting = "default", .launch = number_},
            .provenance = example_provenance(),
            .points = points_};
  }

  /// Two epochs over the measured points, in random order.
  [[nodiscard]] std::vector<MeasurementBlock> blocks() {
    std::vector<MeasurementBlock> blocks;
    const std::size_t measured = points_.size() - 1;
    for (int epoch = 0; epoch < 2; ++epoch) {
      for (const std::size_t i : benchmarks::epoch_order(measured, header().seed, epoch))
        blocks.push_back(visit(i));
    }
    return blocks;
  }

  [[nodiscard]] Record measure() {
    SampleStore store(points_);
    for (const MeasurementBlock& visit : blocks()) store.add(visit);
    Record record = header();
    record.clock = examine(clock_);
    record.series = store.series();
    record.points = store.points("budget spent");
    record.stopped_because = "epochs done";
    return record;
  }

 private:
  /// The samples of one visit. A reading of the clock costs 8 ticks, which makes 1/8 tick of each
  /// of the 64 operations in a batch; the second sample of every visit meets a disturbance.
  MeasurementBlock visit(std::size_t index) {
    FakeOperation operation(clock_, machine_.round_trip_ticks(points_[index].point.bytes));
    operation.disturb(2, 1'000'000);
    SoloTeam group;
    const benchmarks::Sampling sampling{.divisor = 2, .batch = 32, .samples = 5};
    const auto synchroniser =
        make_start_synchroniser(benchmarks::StartScheme::barrier, group, clock_);
    return {.point = index,
            .batch = sampling.batch,
            .samples_seconds =
                take_samples(operation, group, clock_, sampling, *synchroniser).samples_seconds};
  }

  MockMachine machine_;
  FakeClock clock_;
  int number_;
  std::vector<PlannedPoint> points_;
};

/// Seven launches; their alpha is off by -3 .. 3 ticks, in no order.
inline std::vector<Record> mock_campaign(const std::vector<Bytes>& sizes) {
  std::vector<Record> records;
  for (const std::int64_t offset : {2, -3, 0, 3, -1, 1, -2}) {
    const int number = static_cast<int>(records.size());
    records.push_back(MockLaunch({1024 + offset}, sizes, number).measure());
  }
  return records;
}

}  // namespace hockney::pipeline
