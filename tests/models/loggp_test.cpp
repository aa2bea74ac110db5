#include <catch2/catch.hpp>

#include "models/loggp.hpp"
#include "tests/support/launches.hpp"

namespace hockney::models {
namespace {

struct Truth {
  double send = 3e-7;
  double receive = 4e-7;
  double latency = 1e-6;
  double gap = 5e-7;
  double gap_per_byte = 1e-10;
};

void add(Record& record, const std::string& operation, std::int64_t bytes, double seconds) {
  Series series{
      .point = {.operation = operation, .bytes = {bytes}, .ranks = 2, .hop = "l3", .pair = {0, 1}},
      .samples_seconds = std::vector<double>(6, seconds),
      .blocks = {6}};
  series.summary = summarise(series);
  record.series.push_back(series);
}

/// A launch in which all times are `factor` times those of the truth.
Record launch(const Truth& truth, double factor = 1) {
  Record record;
  record.provenance.mpi.library = "Some MPI";
  for (const std::int64_t bytes : {1, 1001}) {
    const auto more = static_cast<double>(bytes - 1);
    add(record, "send-overhead", bytes, factor * truth.send);
    add(record, "receive-overhead", bytes, factor * truth.receive);
    add(record, "gap", bytes, factor * (truth.gap + more * truth.gap_per_byte));
    add(record, "half-round-trip", bytes,
        factor * (truth.send + truth.latency + more * truth.gap_per_byte + truth.receive));
  }
  return record;
}

}  // namespace

TEST_CASE("LogGP is found from times that follow it") {
  const auto models = fit_loggp(std::vector<Record>{launch({})});
  REQUIRE(models.size() == 1);
  const LogGp& model = models.front();
  CHECK(model.bytes == 1);
  CHECK(model.hop == "l3");
  CHECK(model.send_overhead_seconds.value == Approx(3e-7));
  CHECK(model.receive_overhead_seconds.value == Approx(4e-7));
  CHECK(model.latency_seconds.value == Approx(1e-6));
  CHECK(model.gap_seconds.value == Approx(5e-7));
  REQUIRE(model.gap_seconds_per_byte);
  CHECK(model.gap_seconds_per_byte->value == Approx(1e-10));
  CHECK(model.largest_error.value_or(1) < 1e-9);
  CHECK(model.warnings.empty());
  CHECK_FALSE(model.send_overhead_seconds.interval);
}

TEST_CASE("six launches give LogGP intervals, of the order statistics") {
  std::vector<Record> launches;
  for (const double factor : {1.0, 1.1, 0.9, 1.2, 1.05, 0.95}) {
    launches.push_back(launch({}, factor));
  }
  const LogGp model = fit_loggp(launches).at(0);
  CHECK(model.launches == 6);
  const auto& interval = model.send_overhead_seconds.interval;
  REQUIRE(interval);
  CHECK(interval->low == Approx(0.9 * 3e-7));
  CHECK(interval->high == Approx(1.2 * 3e-7));
  CHECK(model.send_overhead_seconds.value == Approx(1.025 * 3e-7));
}

TEST_CASE("times that contradict LogGP are told") {
  CHECK(fit_loggp(std::vector<Record>{launch({.latency = -1e-7})}).at(0).warnings ==
        std::vector{LogGpWarning::negative_latency});
  CHECK(fit_loggp(std::vector<Record>{launch({.gap = 3.5e-7})}).at(0).warnings ==
        std::vector{LogGpWarning::gap_below_receive});
  CHECK(fit_loggp(std::vector<Record>{launch({.gap = 2e-7})}).at(0).warnings ==
        std::vector{LogGpWarning::gap_below_send, LogGpWarning::gap_below_receive});
}

TEST_CASE("launches without all four, and interrupted ones, have no LogGP") {
  Record record = launch({});
  std::erase_if(record.series,
                [](const Series& series) { return series.point.operation == "gap"; });
  Record interrupted = launch({});
  interrupted.status = LaunchStatus::interrupted;
  CHECK(fit_loggp(std::vector<Record>{record, interrupted}).empty());
}

TEST_CASE("times of hockney-pingpong, which are taken otherwise, are no part of LogGP") {
  Record record = launch({});
  for (Series& series : record.series) {
    if (series.point.operation == "half-round-trip") series.point.operation = "pingpong";
  }
  CHECK(fit_loggp(std::vector<Record>{record}).empty());
}

}  // namespace hockney::models
