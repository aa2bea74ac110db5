#include <catch2/catch.hpp>
#include <sstream>

#include "report/exports.hpp"
#include "report/record_tables.hpp"
#include "report/rows.hpp"
#include "tests/report/printed_tables.hpp"
#include "tests/support/launches.hpp"

namespace hockney::report {
namespace {

/// pingpong through shared memory at 8 bytes, through process_vm_readv at 1 MiB, beside its floors.
Record launch(int number, double factor, const std::string& large_path = "cma") {
  Record record = launch_of("default");
  record.campaign->launch = number;
  const auto add = [&](const char* operation, std::int64_t bytes, double seconds,
                       std::optional<std::string> path = {}) {
    Point point = simple_point(operation, bytes);
    point.path = std::move(path);
    add_measured(record, point, seconds * factor);
  };
  add("pingpong", 8, 4e-6, "shm");
  add("pingpong", 1 << 20, 300e-6, large_path);
  add("floor-cacheline", 0, 1e-6);
  add("floor-memcpy", 8, 2e-6);
  add("floor-memcpy", 1 << 20, 200e-6);
  add("floor-process-vm", 8, 3e-6);
  add("floor-process-vm", 1 << 20, 100e-6);
  return record;
}

std::vector<Record> launches(int count) {
  std::vector<Record> records;
  for (int number = 1; number <= count; ++number) records.push_back(launch(number, number));
  return records;
}

}  // namespace

TEST_CASE("every size stands beside the floor of its own path") {
  const auto records = launches(6);
  const PathRows rows = path_rows(campaign_rows(records));
  CHECK(rows.alone.empty());
  REQUIRE(rows.compared.size() == 2);
  const PathRow& small = rows.compared[0];
  CHECK(small.mpi.point.path == "shm");
  CHECK(*small.line_seconds == Approx(3.5e-6));
  CHECK(*small.memcpy_seconds == Approx(7e-6));
  CHECK(*small.process_vm_seconds == Approx(10.5e-6));
  CHECK(*small.multiple == Approx(2));
  const PathRow& large = rows.compared[1];
  CHECK(large.mpi.point.path == "cma");
  CHECK(*large.multiple == Approx(3));
  // What a launch does to all its times cancels out, however much the launches differ.
  REQUIRE(large.multiple_interval);
  CHECK(large.multiple_interval->low == Approx(3));
  CHECK(large.multiple_interval->high == Approx(3));
}

TEST_CASE("one launch has multiples and no interval of them") {
  const auto records = launches(1);
  const PathRows rows = path_rows(campaign_rows(records));
  CHECK(*rows.compared.at(0).multiple == Approx(2));
  CHECK_FALSE(rows.compared.at(0).multiple_interval);
  const std::string text = printed_tables(records);
  CHECK_THAT(text, Catch::Contains("x floor") && Catch::Contains("no interval"));
  CHECK_THAT(text, Catch::Contains("\n# x floor: time over that of the floor of its path"));
  CHECK_THAT(text, !Catch::Contains("floor-memcpy"));
}

TEST_CASE("launches whose paths differ are told, and have no one path") {
  std::vector<Record> records = launches(2);
  records.push_back(launch(3, 1, "shm"));
  const auto rows = campaign_rows(records);
  const PathRows parted = path_rows(rows);
  const PathRow& large = parted.compared.at(1);
  CHECK_FALSE(large.mpi.point.path);
  CHECK(large.mpi.paths == std::vector<std::string>{"cma", "shm"});
  CHECK(large.multiples.size() == 3);
  CHECK(large.multiples.back() == Approx(1.5));
  CHECK_THAT(printed_tables(records),
             Catch::Contains("cma|shm") && Catch::Contains("at 1M not all launches have one"));
  std::ostringstream csv;
  write_csv(csv, rows, records);
  CHECK_THAT(csv.str(), Catch::Contains("pingpong,default,8,2,,shm,"));
  CHECK_THAT(csv.str(), Catch::Contains("pingpong,default,1048576,2,,,"));
}

TEST_CASE("a path that is not proven says why, and has no floor") {
  std::vector<Record> records = launches(1);
  Series& series = records[0].series[1];
  series.point.path.reset();
  records[0].points.own()[1].point.path.reset();
  series.transport = Transport{
      .messages = 1, .payload_bytes = 1 << 20, .shares_memory = true, .devices = {"xpmem"}};
  const PathRows rows = path_rows(campaign_rows(records));
  CHECK_FALSE(rows.compared.at(1).multiple);
  CHECK_THAT(printed_tables(records),
             Catch::Contains(" unproven ") &&
                 Catch::Contains("unproven: from 1M (xpmem may have carried"));
}

TEST_CASE("without floors every curve has its own table, and floors alone have theirs") {
  Record plain = launch_of("default");
  add_measured(plain, simple_point("pingpong", 8), 1e-6);
  CHECK(path_rows(campaign_rows({&plain, 1})).compared.empty());
  Record floors = launch_of("default");
  add_measured(floors, simple_point("floor-memcpy", 8), 1e-6);
  const PathRows rows = path_rows(campaign_rows({&floors, 1}));
  CHECK(rows.compared.empty());
  CHECK(rows.alone.size() == 1);
}

}  // namespace hockney::report
