#include <catch2/catch.hpp>
#include <cmath>

#include "core/faults.hpp"
#include "core/samples.hpp"
#include "tests/support/launches.hpp"

namespace hockney {
namespace {

/// Two points of 1 us, in samples of one operation each.
Record two_points() {
  Record record = launch_of("default");
  add_measured(record, simple_point("bcast", 8), 1e-6);
  add_measured(record, simple_point("bcast", 1024), 1e-6);
  return record;
}

Record drifted(double error_seconds) {
  Record record = two_points();
  record.flags = {std::string(clock_drifted_flag)};
  record.sync = Synchronisation{.scheme = "hca3", .end_error_seconds = error_seconds};
  return record;
}

}  // namespace

TEST_CASE("wrong data void a series, and no other one") {
  Record record = two_points();
  record.series[1].flags = {"memory-differs", std::string(corrupt_flag)};
  CHECK_FALSE(fault_of(record, record.series[0]));
  CHECK(fault_of(record, record.series[1]) == Fault::wrong_data);
  CHECK(launch_median(record, record.series[0]) == 1e-6);
  CHECK_FALSE(launch_median(record, record.series[1]));
  CHECK(why_no_median(record, record.series[1]) == "wrong data were received");
  CHECK(timed_series({&record, 1}).series.size() == 1);
}

TEST_CASE("clocks that drifted apart void what they could change by more than 1 %") {
  Record record = drifted(-0.2e-6);
  CHECK(fault_of(record, record.series[0]) == Fault::clocks_drifted);
  record.series[0].batch = 30;  // a sample of 30 us
  CHECK_FALSE(fault_of(record, record.series[0]));
  record.sync->end_error_seconds.reset();
  CHECK(fault_of(record, record.series[0]) == Fault::clocks_drifted);
  record.flags.clear();
  CHECK_FALSE(fault_of(record, record.series[0]));
}

TEST_CASE("a library without its shared memory voids all of its launch") {
  Record record = two_points();
  record.flags = {std::string(library_warned_flag)};
  CHECK(find_faults({&record, 1}).empty());
  record.flags = {std::string(library_degraded_flag)};
  record.provenance.mpi.messages = {"there is not enough space for /dev/shm/x"};
  CHECK(find_faults({&record, 1}) ==
        std::vector<FaultFinding>{{.fault = Fault::library_degraded,
                                   .points = 2,
                                   .launches = 1,
                                   .of_launches = 1,
                                   .first = "bcast ranks=2 at 8",
                                   .detail = "there is not enough space for /dev/shm/x"}});
}

TEST_CASE("faults are counted by points and launches, the worst first") {
  std::vector<Record> records{drifted(4.6e-3), two_points(), two_points(), two_points()};
  records[2].series[1].flags = {std::string(corrupt_flag)};
  records[3].series[1].flags = {std::string(corrupt_flag)};
  Record& failed = records[3];
  failed.points.own()[0].status = PointStatus::failed;
  failed.points.own()[0].reason = wrong_data_reason;
  failed.series.erase(failed.series.begin());
  failed.campaign->setting = "tcp";
  const std::vector<FaultFinding> faults = find_faults(records);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].fault == Fault::wrong_data);
  CHECK(faults[0].points == 3);
  CHECK(faults[0].launches == 2);
  CHECK(faults[0].of_launches == 4);
  CHECK(faults[0].first == "bcast ranks=2 at 1K");
  CHECK(faults[1].fault == Fault::clocks_drifted);
  CHECK(faults[1].points == 2);
  CHECK(faults[1].detail == "clocks 0.0046 s apart at the end");
}

TEST_CASE("clocks that drifted apart, not busy cores, are why a rank missed every start") {
  for (const double error : {1.5e-3, -1.5e-3, 0.5e-6}) {
    CAPTURE(error);
    Record record = drifted(error);
    SampleStore store(record.points);
    store.add({.point = 0, .batch = 1, .late_starts = 300});
    store.add({.point = 1, .batch = 1, .samples_seconds = {1e-6}});
    record.points = store.points("it was not reached");
    record.series = store.series();
    REQUIRE_THAT(record.points[0].reason, Catch::Contains("the cores are busy"));
    name_drift(record);
    const bool is_far = std::abs(error) > 1e-6;
    CHECK((record.points[0].reason == cause_of(Fault::clocks_drifted)) == is_far);
    CHECK(record.points[1].reason.empty());
    CHECK(find_faults({&record, 1}).front().points == (is_far ? 2 : 1));
    record.flags.clear();
    record.points = store.points("it was not reached");
    name_drift(record);
    CHECK_THAT(record.points[0].reason, Catch::Contains("the cores are busy"));
  }
}

TEST_CASE("wrong data of a protocol are a fault too") {
  Record record = launch_of("default");
  record.protocols.push_back({.hop = "l3", .flags = {std::string(corrupt_flag)}});
  const auto faults = find_faults({&record, 1});
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].fault == Fault::wrong_data);
  CHECK(faults[0].first == "protocol ranks=2 hop=l3");
}

}  // namespace hockney
