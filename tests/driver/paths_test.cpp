

// hockney-paths under a real MPI: the path of every size is proven, and a wrong setting is noticed.

#ifdef HOCKNEY_OPEN_MPI

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/record_file.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

struct Measured {
  CommandResult result;
  Record record;
};

/// hockney-paths on two ranks with settings of Open MPI, at 64 bytes and 1 MiB.
Measured measure(const Arguments& settings, const Arguments& options) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/record.json";
  const Arguments usual{"--sizes", "64,1M", "--epochs", "2", "-o", file};
  Measured measured{.result =
                        run_command(launched(2, "hockney-paths", with(usual, options), settings))};
  INFO(measured.result.out << measured.result.err);
  REQUIRE_FALSE(measured.result.timed_out);
  measured.record = load_record(file);
  return measured;
}

/// Of pingpong, by size.
std::map<std::int64_t, Series> series_of(const Record& record) {
  std::map<std::int64_t, Series> series;
  for (const Series& one : record.series) {
    if (one.point.operation == "pingpong") series[one.point.bytes.value] = one;
  }
  return series;
}

constexpr std::int64_t small = 64;
constexpr std::int64_t large = 1 << 20;

/// Either way is asked for by name, so that the test does not depend on what is the default. The
/// variables are those of Open MPI 4 (vader) and 5 (smsc), and each ignores the other's.
const Arguments single_copy{"OMPI_MCA_pml=ob1", "OMPI_MCA_btl_vader_single_copy_mechanism=cma",
                            "OMPI_MCA_smsc=cma"};
const Arguments no_single_copy{"OMPI_MCA_pml=ob1", "OMPI_MCA_btl_vader_single_copy_mechanism=none",
                               "OMPI_MCA_smsc=^cma"};
const Arguments tcp_alone{"OMPI_MCA_pml=ob1", "OMPI_MCA_btl=self,tcp"};

/// One Open MPI or the other ignores a setting of the above, and that is flagged too.
bool differs(const Record& record) {
  return std::ranges::find(record.flags, "path-differs") != record.flags.end();
}

}  // namespace

TEST_CASE("one copy for each large message is proven to the call and to the byte") {
  const Measured measured = measure(single_copy, {"--expect-path", "cma"});
  CHECK(measured.result.exit_code == 0);
  auto series = series_of(measured.record);
  CHECK(series.at(small).point.path == "shm");
  CHECK(series.at(large).point.path == "cma");
  REQUIRE(series.at(large).transport);
  const Transport& transport = *series.at(large).transport;
  CHECK(transport.copy_calls >= transport.messages);
  CHECK(transport.copied_bytes == transport.payload_bytes);
  CHECK(transport.payload_bytes == transport.messages * large);
  CHECK_THAT(measured.result.out, Catch::StartsWith("# shared memory up to ") &&
                                      Catch::Contains(", CMA from ") &&
                                      Catch::Contains(", proven; pingpong "));
}

TEST_CASE("without single copies messages of every size go through shared memory") {
  const Measured measured = measure(no_single_copy, {"--expect-path", "shm"});
  CHECK(measured.result.exit_code == 0);
  for (const auto& [bytes, series] : series_of(measured.record)) {
    CHECK(series.point.path == "shm");
    REQUIRE(series.transport);
    CHECK(series.transport->copied_bytes == 0);
  }
  CHECK_FALSE(differs(measured.record));
}

TEST_CASE("messages over TCP are proven by the kernel's count") {
  const Measured measured = measure(
      tcp_alone, {"--expect-path", "tcp", "--expect-from", "64", "--operations", "pingpong"});
  CHECK(measured.result.exit_code == 0);
  for (const auto& [bytes, series] : series_of(measured.record)) {
    CHECK(series.point.path == "tcp");
  }
}

TEST_CASE("a setting that does not do what is expected of it is noticed") {
  const Measured measured = measure(no_single_copy, {"--expect-path", "cma"});
  CHECK(measured.result.exit_code == verdict_failed);
  CHECK_THAT(measured.result.err, Catch::Contains("the path is not cma as expected in 1 series"));
  auto series = series_of(measured.record);
  CHECK(series.at(large).flags == std::vector<std::string>{"path-differs"});
  CHECK(series.at(small).flags.empty());
  CHECK(differs(measured.record));
}

TEST_CASE("the floors are measured in the same launch, with their data checked") {
  const Measured measured = measure(single_copy, {});
  std::map<std::string, int> floors;
  for (const PlannedPoint& planned : measured.record.points) {
    INFO(planned.point.operation << " " << planned.reason);
    // A kernel may forbid one thing, and only that one.
    const bool forbidden = planned.point.operation == "floor-process-vm" &&
                           planned.reason.starts_with("process_vm_readv");
    CHECK((planned.status == PointStatus::measured || forbidden));
    ++floors[planned.point.operation];
  }
  CHECK(floors ==
        std::map<std::string, int>{
            {"pingpong", 2}, {"floor-cacheline", 1}, {"floor-memcpy", 2}, {"floor-process-vm", 2}});
  for (const Series& series : measured.record.series) {
    if (series.point.operation != "pingpong") CHECK_FALSE(series.point.path);
  }
}

#ifndef HOCKNEY_SANITIZED  // which is linked with the library, and is first in every process
TEST_CASE("what was to be preloaded is as before while paths are proven") {
  const Measured measured = measure(single_copy, {"--operations", "pingpong"});
  CHECK_FALSE(measured.record.provenance.environment.contains("LD_PRELOAD"));
  const std::string other = std::string("LD_PRELOAD=") + HOCKNEY_STANDIN + "/libcudart.so";
  const Measured with_other = measure(with(single_copy, {other}), {"--operations", "pingpong"});
  CHECK("LD_PRELOAD=" + with_other.record.provenance.environment.at("LD_PRELOAD") == other);
  CHECK(series_of(with_other.record).at(large).point.path == "cma");
}

TEST_CASE("where the library that counts copies is not there the record says so") {
  const TemporaryFolder folder;
  const std::string program = folder.path() + "/hockney-paths";
  std::filesystem::copy_file(built("hockney-mpi"), program);
  const std::string file = folder.path() + "/record.json";
  const Arguments options{"--sizes",  "1M", "--epochs", "1",      "--operations",
                          "pingpong", "-o", file,       "--json", "--expect-path",
                          "cma"};
  const CommandResult result =
      run_command(with(with(launcher(2, single_copy), {program}), options));
  CHECK(result.exit_code == verdict_failed);
  const Series series = series_of(load_record(file)).at(large);
  CHECK_FALSE(series.point.path);
  REQUIRE(series.transport);
  CHECK(series.transport->devices == std::vector<std::string>{"cma"});
  CHECK_THAT(result.out, Catch::Contains("cma may have carried the messages, and leaves no count"));
}
#endif

}  // namespace hockney::driver

#endif
