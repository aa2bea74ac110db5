#include <catch2/catch.hpp>

#include "core/record.hpp"
#include "core/record_file.hpp"
#include "tests/support/example_record.hpp"

// Documents that an earlier version wrote (tests/fixtures/documents) are read as what was written.
namespace hockney {
namespace {

const std::string old_documents = HOCKNEY_SOURCE_DIR "/tests/fixtures/documents";

}  // namespace

TEST_CASE("a record that an earlier version wrote is read whole, as JSON and as CBOR") {
  const Record json = load_record(old_documents + "/record.json");
  CHECK(json == load_record(old_documents + "/record.cbor"));
  CHECK(json.series.at(0).samples_seconds ==
        std::vector<double>{1e-6, 1.1e-6, 0.1, 1.3e-6, 1.05e-6, 1.2e-6});
  CHECK(json.series.at(0).summary.within_seconds->high == 0.1);
  CHECK(json.series.at(0).transport->devices == std::vector<std::string>{"xpmem"});
  CHECK(json.provenance.mpi.requested.at(0).proof == Proof::ignored);
  CHECK(json.sync->self_test->estimate_seconds == -2e-8);
  REQUIRE(json.points.size() == 2);
  CHECK(json.points[1].status == PointStatus::skipped);
  CHECK(json.protocols.at(0).eager_probes.at(0).exceptions == std::vector<std::int64_t>{5000});
  CHECK(json.memory.at(0).messages == 4096);
  CHECK(json.algorithms.at(0).ran == "recursive_doubling");
  CHECK(json.guidelines.at(0).map == SizeRelation::parts);
  CHECK(json.campaign->axes.at("eager") == "4096");
  Record written = example_record();  // before networks, threads, buffers and probes
  written.provenance.network.reset();
  written.provenance.mpi.messages.clear();
  for (Host& host : written.provenance.hosts) host.network.clear();
  std::vector<PlannedPoint> points(written.points.begin(), written.points.end());
  for (PlannedPoint& planned : points) planned.thread_cpus.clear();
  written.points = std::move(points);
  for (MemoryUse& use : written.memory) use.communicators.reset();
  written.buffers.clear();
  written.noise.clear();
  const auto widen = [](Point& point) {
    if (point.parameters.contains(window_parameter)) point.parameters[window_parameter] = "64";
  };
  for (PlannedPoint& planned : written.points.own()) widen(planned.point);
  for (Series& series : written.series) {
    widen(series.point);
    series.summary.mean_seconds.reset();
  }
  mark_automatic(written);
  written.machine.clear();
  CHECK(json == written);
}

TEST_CASE("a journal that an earlier version left is read whole") {
  const auto record = recover_journal(old_documents + "/launch.json");
  REQUIRE(record);
  CHECK(record->status == LaunchStatus::interrupted);
  REQUIRE(record->series.size() == 1);
  const Series& series = record->series.front();
  CHECK(series.samples_seconds == std::vector<double>{1e-6, 2e-6, 3e-6});
  CHECK(series.blocks == std::vector<int>{2, 1});
  CHECK(series.late_starts == 2);
  CHECK(series.deliveries_checked == 40);
  CHECK(series.transport->payload_bytes == 32);
}

}  // namespace hockney
